# SPDX-License-Identifier: MIT OR Unlicense
"""A Slurm cluster of cluster.py with accounting: slurmdbd on a MariaDB of its own."""

import os
import socket
import subprocess

import cluster

ACCOUNTING = """AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={dbd}
AccountingStoragePass={{folder}}/munge.sock
AccountingStorageEnforce=limits
PriorityType=priority/multifactor
PriorityWeightFairshare=1000
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=NONE
PriorityCalcPeriod={minutes}
{more}"""
DBD = """AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
DbdHost={host}
DbdAddr=127.0.0.1
DbdPort={dbd}
SlurmUser={user}
LogFile={folder}/slurmdbd.log
PidFile={folder}/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={sql}
StorageUser={user}
StorageLoc=slurm_acct_db
"""


class Accounts(cluster.Cluster):
    """A cluster whose accounting runs in its folder, too."""

    def __init__(self, more="", minutes=60, nodes=1, **how):
        first = cluster.free_ports(2)
        self.ports = {"dbd": first, "sql": first + 1}
        super().__init__(nodes=nodes, lua=False, accounting=ACCOUNTING.format(
            more=more, minutes=minutes, **self.ports), **how)
        self.change_conf("{folder}", self.folder)
        user = subprocess.check_output(["id", "-un"], text=True).strip()
        path = f"{self.folder}/slurmdbd.conf"
        with open(path, "w") as f:
            os.chmod(path, 0o600)
            f.write(DBD.format(folder=self.folder, user=user,
                               host=socket.gethostname().partition(".")[0],
                               **self.ports))

    def change_conf(self, was, becomes):
        path = f"{self.folder}/slurm.conf"
        conf = open(path).read().replace(was, becomes)
        open(path, "w").write(conf)

    def listens(self, port):
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", self.ports[port])) == 0

    def __enter__(self):
        try:
            self.start_accounting()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start_accounting(self):
        user = subprocess.check_output(["id", "-un"], text=True).strip()
        data = f"{self.folder}/sql"
        self.run("mariadb-install-db", "--no-defaults", f"--user={user}",
                 f"--datadir={data}", "--auth-root-authentication-method="
                 "normal", f"--tmpdir={self.folder}",
                 stdout=subprocess.DEVNULL)
        self.daemon("mariadbd", "--no-defaults", f"--user={user}",
                    f"--datadir={data}", "--skip-grant-tables",
                    f"--socket={self.folder}/sql.sock",
                    f"--pid-file={self.folder}/sql.pid",
                    f"--tmpdir={self.folder}",
                    "--bind-address=127.0.0.1", f"--port={self.ports['sql']}",
                    "--innodb-lock-wait-timeout=900",
                    "--innodb-flush-log-at-trx-commit=0")
        self.wait(lambda: self.listens("sql"), "mariadbd")
        self.munge()
        self.daemon("slurmdbd", "-D")
        self.wait(lambda: self.listens("dbd"), "slurmdbd")

    def start_controller(self):
        self.controller = self.daemon("slurmctld", "-D")
        self.wait(lambda: "fairsched" in self.run("sshare", "-h", "-P", "-o",
                  "cluster", check=False), "slurmctld", 300)

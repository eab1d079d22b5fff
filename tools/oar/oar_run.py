#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Runs OAR's server with jobs by oarsub, by one scheduler after the other.

    python3 tools/oar/oar_run.py [--jobs 300] [--waiting 1000] [SCHEDULER ...]
    python3 tools/oar/oar_run.py --cases fairsched:conservative

A SCHEDULER is one of OAR's, by its file's name without oar_sched_gantt_with_,
or fairsched:POLICY. It prints for each what is in docs/OAR.md: how long jobs
waited, how many started later than first predicted, and the time of a pass
with many waiting jobs. debootstrap installs Debian 12 with oar-server and
PostgreSQL into build/oar/root at first. All runs there, with own mounts,
processes and network; it takes root, and for 300 jobs a quarter of an hour for
each scheduler. Jobs are of OAR's type noop: they hold their cores, and oardel
ends them when they would have ended.
"""
import argparse
import os
import random
import statistics
import subprocess
import sys
import time

TREE = os.path.abspath(os.path.dirname(__file__) + "/../..")
ROOT = TREE + "/build/oar/root"
PACKAGES = ("python3,iproute2,postgresql,oar-server,oar-server-pgsql,oar-user,"
            "oar-user-pgsql,libterm-ui-perl,python3-psycopg2,python3-cffi-backend")
OARDIR = "/usr/lib/oar"
HOSTS, CORES = 16, 4
REST = 20  # seconds: OAR notices a walltime up to 10 s late
SLACK = 20  # seconds until OAR has noticed an end, and makes a pass
PROMISING = ("fairsched:conservative", "fairsched:dc")
TIMED = """#!/bin/sh
begin=$(date +%s%N)
{scheduler} "$@"
status=$?
echo "$(date +%s%N) $begin" >>/tmp/passes
exit $status
"""


def enter(arguments):
    """Runs this program in the copy of Debian, which is made at first."""
    if not os.path.exists(ROOT + OARDIR + "/Almighty"):
        os.makedirs(ROOT, exist_ok=True)
        subprocess.run(["debootstrap", "--variant=minbase",
                        "--include=" + PACKAGES, "bookworm", ROOT,
                        "http://deb.debian.org/debian"], check=True,
                       stdout=sys.stderr)
    subprocess.run(["sh", "tools/oar/build.sh", "build/oar"], cwd=TREE, check=True)
    os.makedirs(ROOT + "/fairsched", exist_ok=True)
    return subprocess.run(
        ["unshare", "--mount", "--pid", "--net", "--uts", "--fork", "--kill-child",
         "sh", "-euc", """
            mount --bind "$1" "$2/fairsched"
            hostname localhost
            mount -t proc proc "$2/proc"
            mount --bind /dev "$2/dev"
            for at in run tmp etc/oar var/lib/oar; do
                mount -t tmpfs tmpfs "$2/$at"
            done
            root=$2
            shift 2
            exec chroot "$root" /usr/bin/env -i PWD=/tmp \
                PATH=/usr/sbin:/usr/bin:/sbin:/bin \
                python3 /fairsched/tools/oar/oar_run.py "$@"
        """, "sh", TREE, ROOT, "--inside", *arguments]).returncode


def run(*command, user=None, may_fail=False, **options):
    if user:
        command = ("runuser", "-u", user, "--", *command)
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode and not may_fail:
        sys.exit(f"{' '.join(command)}: {done.stdout}")
    return done.stdout


def sql(text):
    """Returns rows of texts."""
    out = run("psql", "-qAtF", "\t", "-v", "ON_ERROR_STOP=1", "-d", "oar",
              user="postgres", input=text, cwd="/")
    return [line.split("\t") for line in out.splitlines()]


def start_database():
    bin = "/usr/lib/postgresql/15/bin/"
    os.makedirs("/tmp/pg")
    os.makedirs("/var/run/postgresql", exist_ok=True)
    run("chown", "postgres", "/tmp/pg", "/var/run/postgresql")
    run(bin + "initdb", "-D", "/tmp/pg", "-A", "trust", user="postgres", cwd="/")
    run(bin + "pg_ctl", "-D", "/tmp/pg", "-l", "/tmp/pg/log", "-w", "start",
        user="postgres", cwd="/")
    run("psql", "-q", "-c", "CREATE ROLE oar LOGIN PASSWORD 'oar'", "-c",
        "CREATE ROLE oar_ro LOGIN PASSWORD 'oar'", "-c",
        "CREATE DATABASE oar OWNER oar", user="postgres", cwd="/")
    for name in ("pg_structure", "default_data", "pg_default_admission_rules"):
        run("psql", "-qd", "oar", "-c", "SET ROLE oar", "-f",
            f"{OARDIR}/database/{name}.sql", user="postgres", cwd="/")
    # What was first predicted for each job.
    sql("""
        GRANT SELECT ON ALL TABLES IN SCHEMA public TO oar_ro;
        CREATE TABLE first (job integer PRIMARY KEY, start integer);
        GRANT ALL ON first TO oar;
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO first SELECT moldable_job_id, NEW.start_time
                FROM moldable_job_descriptions
                WHERE moldable_id = NEW.moldable_job_id
                ON CONFLICT DO NOTHING;
            RETURN NEW; END $$;
        CREATE TRIGGER note AFTER INSERT ON gantt_jobs_predictions
            FOR EACH ROW EXECUTE FUNCTION note();""")


def start_oar(scheduler):
    """16 hosts of 4 cores; half of them are big."""
    conf = dict(DB_TYPE="Pg", DB_HOSTNAME="127.0.0.1", DB_PORT="5432",
                DB_BASE_NAME="oar", DB_BASE_LOGIN="oar", DB_BASE_PASSWD="oar",
                DB_BASE_LOGIN_RO="oar_ro", DB_BASE_PASSWD_RO="oar",
                SERVER_HOSTNAME="localhost", SERVER_PORT="6666",
                OARSUB_DEFAULT_RESOURCES="/resource_id=1",
                OARSUB_NODES_RESOURCES="network_address",
                OARSUB_FORCE_JOB_KEY="no", LOG_LEVEL="2", LOG_CATEGORIES="all",
                LOG_FILE="/tmp/oar.log", OAR_RUNTIME_DIRECTORY="/var/lib/oar",
                OPENSSH_CMD="/usr/bin/ssh", FINAUD_FREQUENCY="0",
                ENERGY_SAVING_INTERNAL="no", SCHEDULER_TIMEOUT="60",
                SCHEDULER_RESOURCE_ORDER="network_address, resource_id",
                SCHEDULER_JOB_SECURITY_TIME=str(REST),
                FAIRSCHED_POLICY=scheduler.partition(":")[2] or "easy",
                FAIRSCHED_STATE="/var/lib/oar/fairsched")
    with open("/etc/oar/oar.conf", "w") as f:
        f.writelines(f'{key}="{value}"\n' for key, value in conf.items())
    run("chown", "-R", "oar:oar", "/etc/oar", "/var/lib/oar")
    run("cp", "-r", "/fairsched/build/oar/fairsched",
        "/fairsched/tools/oar/oar_sched_fairsched", "/tmp")
    run("python3", "-m", "compileall", "-q", "/tmp/fairsched")
    policy = "/tmp/oar_sched_fairsched"
    if not scheduler.startswith("fairsched"):
        policy = f"{OARDIR}/schedulers/oar_sched_gantt_with_{scheduler}"
    with open("/tmp/timed", "w") as f:
        f.write(TIMED.format(scheduler=policy))
    os.chmod(f.name, 0o755)
    for name, *kind in ("core",), ("host", "-c"), ("big", "-c"):
        run("/usr/sbin/oarproperty", "-a", name, *kind)
    sql("""
        CREATE VIEW held AS
            SELECT j.job_id AS job, r.resource_id AS core, r.host, r.big,
                   j.start_time AS start, j.stop_time AS stop
            FROM jobs j JOIN assigned_resources a
                ON a.moldable_job_id = j.assigned_moldable_job
            JOIN resources r ON r.resource_id = a.resource_id""")
    sql("UPDATE queues SET scheduler_policy = '../../../../tmp/timed'" + "".join(
        f"; INSERT INTO resources (network_address, host, core, big, cpuset)"
        f" VALUES ('n{i // CORES}', 'n{i // CORES}', {i + 1},"
        f" '{'YES' if i // CORES < HOSTS // 2 else 'NO'}', {i % CORES})"
        for i in range(HOSTS * CORES)))
    subprocess.Popen("/usr/sbin/Almighty", stdout=open("/tmp/almighty", "w"),
                     stderr=subprocess.STDOUT)
    run("useradd", "-M", "u1", may_fail=True)  # it may be there
    time.sleep(3)


def submit(*options):
    out = run("oarsub", "-t", "noop", *options, user="u1", cwd="/tmp")
    return [int(line.split("=")[1]) for line in out.splitlines()
            if line.startswith("OAR_JOB_ID=")]


def draw(rng):
    """Returns the options of a job, how long it runs, and what it may get."""
    walltime = rng.randint(15, 60)
    n, m = rng.randint(1, 4), rng.randint(1, 4)
    kind = rng.choices(("core", "both", "host", "mold", "big"),
                       (40, 20, 20, 10, 10))[0]
    # Hosts, 0 for any, and cores on each.
    shapes = {"core": [(0, rng.choice((1, 2, 3, 4, 6, 8)))], "both": [(n, m)],
              "host": [(rng.choice((1, 1, 2, 2, 4, 8)), CORES)],
              "big": [(2, CORES)], "mold": [(0, 8), (0, 4)]}[kind]
    options = ["-p", "big='YES'"] if kind == "big" else []
    for i, (hosts, cores) in enumerate(shapes):
        request = (f"/nodes={hosts}" if hosts else "") + (
            f"/core={cores}" if kind != "host" and kind != "big" else "")
        longest = walltime if i == len(shapes) - 1 else walltime // 2
        options += ["-l", f"{request},walltime=0:0:{longest}"]
    # One of six jobs runs into its walltime.
    runs = 10**6 if rng.random() < 1 / 6 else rng.randint(longest // 3, longest)
    return options, runs, (shapes, kind == "big")


def check(shapes):
    """Whether each job had what it asked for, and no other had it."""
    twice = sql("""
        SELECT a.job, b.job FROM held a JOIN held b
            ON a.core = b.core AND a.job < b.job
                AND a.start < b.stop AND b.start < a.stop""")
    wrong = []
    for job, total, hosts, least, most, big in shapes and sql(
            "SELECT job, count(*), count(DISTINCT host), min(n), max(n), min(big)"
            " FROM (SELECT *, count(*) OVER (PARTITION BY job, host) n FROM held)"
            " h GROUP BY job"):
        asked, needs_big = shapes[int(job)]
        if needs_big and big != "YES" or not any(
                int(total) == cores if not n else
                [hosts, least, most] == [str(n), str(cores), str(cores)]
                for n, cores in asked):
            wrong.append(job)
    if twice or wrong:
        sys.exit(f"two jobs on a core: {twice}; not as asked for: {wrong}")


def wait_for(what, text):
    """Waits until the query says true."""
    for _ in range(300):
        row = sql(text)
        if row and row[0][0] == "t":
            return
        time.sleep(1)
    sys.exit(f"{what}: {row}; {sql('SELECT job_id, state, message FROM jobs')}")


def starts(job):
    return (f"(SELECT start_time FROM gantt_jobs_predictions_visu v JOIN"
            f" moldable_job_descriptions m ON v.moldable_job_id = m.moldable_id"
            f" WHERE m.moldable_job_id = {job})")


def special_cases():
    """What docs/OAR.md says of jobs that are not like others."""
    state = "SELECT state = '{}' FROM jobs WHERE job_id = {}"
    message = "SELECT message LIKE '%{}%' FROM jobs WHERE job_id = {}"
    long, = submit("-l", "/core=5,walltime=1:0:0")
    wait_for("it runs", state.format("Running", long))
    after, = submit("-l", "/core=1,walltime=0:0:30", "-a", str(long))
    groups, = submit("-l", "/nodes=1+/nodes=2,walltime=0:0:30")
    inner, = submit("-l", "/core=1", "-t", f"inner={long}")
    wait_for("a dependency", message.format("it waits for job", after))
    wait_for("groups", message.format("it asks for groups", groups))
    wait_for("a type", message.format("it has the type inner", inner))
    run("oardel", str(groups), str(inner))
    # An advance reservation of half of the hosts in 100 s.
    at = int(time.time()) + 100
    run("oarsub", "-t", "noop", "-r", time.strftime(
        "%Y-%m-%d %H:%M:%S", time.localtime(at)), "-l",
        f"/nodes={HOSTS // 2},walltime=0:2:0", user="u1", cwd="/tmp")
    whole, = submit("-l", f"/nodes={HOSTS - 2},walltime=0:3:0")
    short, = submit("-l", f"/nodes={HOSTS - 2},walltime=0:0:20")
    wait_for("before a reservation", state.format("Running", short))
    wait_for("behind a reservation",
             f"SELECT {starts(whole)} >= {at + 120}")
    run("oardel", str(whole), str(short))
    run("oarnodesetting", "-h", "n3", "-s", "Absent")
    every, = submit("-l", f"/nodes={HOSTS},walltime=0:1:0")
    wait_for("a host that is absent",
             f"SELECT {starts(every)} IS NULL AND EXISTS ("
             f" SELECT 1 FROM jobs WHERE job_id = {every}"
             f" AND message LIKE '%not planned%')")
    run("oarnodesetting", "-h", "n3", "-s", "Alive")
    wait_for("it is back", f"SELECT {starts(every)} > 0")
    # The state is lost: the job that runs keeps its hosts.
    os.remove("/var/lib/oar/fairsched/default")
    first = sql(f"SELECT {starts(every)}")[0][0]
    run("oarnotify", "Scheduling")
    time.sleep(10)
    wait_for("without the state", f"SELECT {starts(every)} = {first}")
    run("oardel", str(long))
    wait_for("it is over", state.format("Running", after))
    wait_for("all", "SELECT count(*) = 0 FROM jobs"
             " WHERE state NOT IN ('Terminated', 'Error')")
    check({})


def play(jobs, spacing):
    """Submits jobs and ends them."""
    rng = random.Random(43)
    length, shapes, ended = {}, {}, set()
    begin = time.time()
    while True:
        while len(length) < jobs and time.time() >= begin + spacing * len(length):
            options, runs, asks = draw(rng)
            job = submit(*options)[0]
            length[job], shapes[job] = runs, asks
        live = sql("SELECT job_id, state, start_time FROM jobs"
                   " WHERE state NOT IN ('Terminated', 'Error')")
        due = [j for j, state, start in live if state == "Running" and
               j not in ended and time.time() >= int(start) + length[int(j)]]
        if due:
            run("oardel", *due, may_fail=True)  # one may have ended
            ended.update(due)
        if len(length) == jobs and not live:
            check(shapes)
            return
        time.sleep(0.5)


def report(scheduler):
    rows = [list(map(int, r)) for r in sql(
        "SELECT submission_time, j.start_time, first.start, stop_time FROM jobs j"
        " JOIN first ON first.job = j.job_id WHERE j.start_time > 0")]
    waits = [start - submit for submit, start, *_ in rows]
    late = [start - first for submit, start, first, stop in rows]
    took = max(r[3] for r in rows) - min(r[0] for r in rows)
    print(f"{scheduler}: {len(rows)} jobs in {took} s; mean wait"
          f" {statistics.mean(waits):.1f} s, longest {max(waits)} s; later than"
          f" first predicted {sum(d > 0 for d in late)}, by {max(late)} s at"
          f" most; pass {1000 * statistics.median(read_passes()):.0f} ms",
          flush=True)
    if sql("SELECT 1 FROM jobs WHERE start_time = 0"):
        sys.exit("a job did not start")
    if scheduler in PROMISING and max(late) > SLACK:
        sys.exit("a promise was broken")


def read_passes():
    """Returns the seconds of each pass so far."""
    with open("/tmp/passes") as f:
        ends = [list(map(int, line.split())) for line in f]
    return [(end - begin) / 1e9 for end, begin in ends]


def measure_passes(scheduler, jobs):
    """How long a pass is while so many jobs wait behind one."""
    submit("-l", f"/nodes={HOSTS},walltime=10:0:0")
    rng = random.Random(44)
    while jobs > 0:
        options, *_ = draw(rng)
        n = min(jobs, 20)
        submit("--array", str(n), *options)
        jobs -= n
    before = len(read_passes())
    while len(read_passes()) < before + 6:
        run("oarnotify", "Scheduling")
        time.sleep(3)
    planned = sql("SELECT count(*) FROM gantt_jobs_predictions_visu")[0][0]
    waiting = sql("SELECT count(*) FROM jobs WHERE state = 'Waiting'")[0][0]
    print(f"{scheduler}: a pass over {waiting} waiting jobs takes"
          f" {statistics.median(read_passes()[before + 1:]):.2f} s, and plans"
          f" {planned} jobs", flush=True)


def print_complaints():
    """Prints what OAR and the scheduler say that went wrong."""
    with open("/tmp/oar.log") as f:
        lines = [l for l in f if "[error]" in l or "without the state" in l or
                 "warn" in l.lower() or "fairsched: " in l]
    with open("/tmp/pg/log") as f:
        lines += [l for l in f if "ERROR" in l]
    with open("/tmp/almighty") as f:
        lines += f
    print("".join(lines[:20]), end="", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=300)
    parser.add_argument("--waiting", type=int, default=1000)
    parser.add_argument("--cases", action="store_true",
                        help="instead: what docs/OAR.md says of other jobs")
    parser.add_argument("--spacing", type=float, default=2)
    parser.add_argument("schedulers", nargs="*", metavar="SCHEDULER",
                        default=["timesharing", "fairsched:conservative"])
    o = parser.parse_args()
    if not o.inside:
        status = 0
        for scheduler in o.schedulers:
            status |= enter(["--jobs", str(o.jobs), "--waiting", str(o.waiting),
                             "--spacing", str(o.spacing), scheduler,
                             *["--cases"] * o.cases])
        sys.exit(status)
    run("ip", "link", "set", "lo", "up")
    start_database()
    start_oar(o.schedulers[0])
    if o.cases:
        special_cases()
        print(f"{o.schedulers[0]}: all cases are as they should be")
        return
    if o.jobs:
        play(o.jobs, o.spacing)
        report(o.schedulers[0])
    if o.waiting:
        measure_passes(o.schedulers[0], o.waiting)
    print_complaints()


main()

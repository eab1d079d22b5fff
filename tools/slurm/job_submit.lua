-- SPDX-License-Identifier: MIT OR Unlicense
--
-- Jobs are born held: fairsched-slurm releases them when they are to start. A
-- file of the folder of slurm.conf, for JobSubmitPlugins=lua; see docs/SLURM.md.
-- What users do to their own jobs does not start them.

local function bad_account(desc)
	if desc.account and desc.account:find("[^%w_.-]") then
		slurm.log_user("an account is letters, digits, _ . and -")
		return true
	end
	return false
end

-- scontrol release is a change of the priority.
local function releases_own(desc, job, uid)
	if uid ~= 0 and uid == job.user_id and desc.priority ~= slurm.NO_VAL and
	   desc.priority ~= 0 then
		slurm.log_user("fairsched-slurm releases jobs; it tells when")
		return true
	end
	return false
end

function slurm_job_submit(desc, partitions, uid)
	if bad_account(desc) then
		return slurm.ERROR
	end
	desc.priority = 0
	return slurm.SUCCESS
end

function slurm_job_modify(desc, job, partitions, uid)
	if bad_account(desc) or releases_own(desc, job, uid) then
		return slurm.ERROR
	end
	return slurm.SUCCESS
end

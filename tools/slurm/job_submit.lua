-- SPDX-License-Identifier: MIT OR Unlicense
--
-- Holds every new job; fairsched-slurm releases the jobs that it starts. Only root
-- and SlurmUser can release a job; a user can hold an own job, and release it from
-- that hold. Configure JobSubmitPlugins=lua; docs/SLURM.md tells how to install
-- this file, also beside a site's own.

local USER_HOLD = " [held by its user]"

local function find_user_hold(comment)
	return (comment or ""):find(USER_HOLD, 1, true)
end

local function remove_user_hold(comment)
	local at = find_user_hold(comment)
	return at and comment:sub(1, at - 1) .. comment:sub(at + #USER_HOLD) or
	       comment or ""
end

-- slurmctld runs this, as SlurmUser.
local function is_slurm_user(uid)
	local status = io.open("/proc/self/status")
	if not status then
		return false
	end
	local own = status:read("*a"):match("Uid:%s+%d+%s+(%d+)")
	status:close()
	return tonumber(own) == uid
end

local function has_bad_account(desc)
	return desc.account and desc.account:find("[^%w_.-]")
end

-- A user that releases an own job takes an own hold back; nothing more.
local function release(desc, job, uid)
	local comment = desc.comment or job.comment
	if uid == job.user_id and find_user_hold(comment) then
		comment = remove_user_hold(comment)
		desc.comment = comment ~= "" and comment or " " -- "" keeps it
		desc.priority = slurm.NO_VAL
		return slurm.SUCCESS
	end
	-- Slurm has no other text for the user: log_user() fails here.
	return slurm.ESLURM_ACCESS_DENIED
end

function slurm_job_submit(desc, partitions, uid)
	if has_bad_account(desc) then
		slurm.log_user("an account may contain letters, digits, _ . and - only")
		return slurm.ESLURM_INVALID_ACCOUNT
	end
	if desc.priority == 0 then -- sbatch --hold
		desc.comment = remove_user_hold(desc.comment) .. USER_HOLD
	end
	desc.priority = 0
	return slurm.SUCCESS
end

function slurm_job_modify(desc, job, partitions, uid)
	if has_bad_account(desc) then
		return slurm.ESLURM_INVALID_ACCOUNT
	end
	if uid == 0 or is_slurm_user(uid) or desc.priority == slurm.NO_VAL then
		return slurm.SUCCESS
	end
	-- scontrol hold and release arrive as changes of the priority.
	if desc.priority ~= 0 then
		return release(desc, job, uid)
	end
	if uid == job.user_id then
		desc.comment = remove_user_hold(desc.comment or job.comment) ..
			       USER_HOLD
	end
	return slurm.SUCCESS
end

-- Written by scripts/generate-queries-doc.mjs. Do not edit by hand.

-- findAgents
-- GET /api/v1/agents/
WITH counted AS (
  SELECT count(*)::integer AS found FROM users WHERE organisation_id = $1 AND status = $4
), page AS MATERIALIZED (
  SELECT id AS user_id, full_name, email, role, status, created_at FROM users WHERE organisation_id = $1 AND status = $4
  ORDER BY created_at DESC, id DESC
  LIMIT (SELECT $2::bigint) OFFSET (SELECT $3::bigint)
)
SELECT counted.found, user_id, full_name, email, role, status FROM counted LEFT JOIN page ON true
ORDER BY created_at DESC, user_id DESC;

-- findAgents: role
-- GET /api/v1/agents/ with a role
WITH counted AS (
  SELECT count(*)::integer AS found FROM users WHERE organisation_id = $1 AND status = $4 AND role = $5
), page AS MATERIALIZED (
  SELECT id AS user_id, full_name, email, role, status, created_at FROM users WHERE organisation_id = $1 AND status = $4 AND role = $5
  ORDER BY created_at DESC, id DESC
  LIMIT (SELECT $2::bigint) OFFSET (SELECT $3::bigint)
)
SELECT counted.found, user_id, full_name, email, role, status FROM counted LEFT JOIN page ON true
ORDER BY created_at DESC, user_id DESC;

-- findAgents: search
-- GET /api/v1/agents/ with a search
WITH counted AS (
  SELECT count(*)::integer AS found FROM users WHERE organisation_id = $1 AND status = $4 AND (full_name ILIKE $5 OR email ILIKE $5)
), page AS MATERIALIZED (
  SELECT id AS user_id, full_name, email, role, status, created_at FROM users WHERE organisation_id = $1 AND status = $4 AND (full_name ILIKE $5 OR email ILIKE $5)
  ORDER BY created_at DESC, id DESC
  LIMIT (SELECT $2::bigint) OFFSET (SELECT $3::bigint)
)
SELECT counted.found, user_id, full_name, email, role, status FROM counted LEFT JOIN page ON true
ORDER BY created_at DESC, user_id DESC;

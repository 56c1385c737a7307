-- Written by scripts/generate-queries-doc.mjs. Do not edit by hand.

-- findAgents
-- GET /api/v1/agents/
WITH counted AS (
  SELECT count(*)::integer AS found FROM users WHERE organisation_id = $1 AND status = $4
), page AS MATERIALIZED (
  SELECT id, full_name, email, email_clashes, role, status, created_at FROM users WHERE organisation_id = $1 AND status = $4
  ORDER BY created_at DESC, id DESC LIMIT (SELECT $2::bigint) OFFSET $3
)
SELECT counted.found, id AS user_id, full_name, email, email_clashes, role, status, ARRAY[(extract(epoch FROM created_at) * 1000000)::bigint::text, id::text] AS position
FROM counted LEFT JOIN page ON true
ORDER BY created_at DESC, id DESC;

-- findAgents: role
-- GET /api/v1/agents/ with a role
WITH counted AS (
  SELECT count(*)::integer AS found FROM users WHERE organisation_id = $1 AND status = $4 AND role = $5
), page AS MATERIALIZED (
  SELECT id, full_name, email, email_clashes, role, status, created_at FROM users WHERE organisation_id = $1 AND status = $4 AND role = $5
  ORDER BY created_at DESC, id DESC LIMIT (SELECT $2::bigint) OFFSET $3
)
SELECT counted.found, id AS user_id, full_name, email, email_clashes, role, status, ARRAY[(extract(epoch FROM created_at) * 1000000)::bigint::text, id::text] AS position
FROM counted LEFT JOIN page ON true
ORDER BY created_at DESC, id DESC;

-- findAgents: search
-- GET /api/v1/agents/ with a search
WITH counted AS (
  SELECT count(*)::integer AS found FROM users WHERE organisation_id = $1 AND status = $4 AND (search_text(full_name) LIKE (SELECT search_pattern($5)) OR search_text(email) LIKE (SELECT search_pattern($5)))
), page AS MATERIALIZED (
  SELECT id, full_name, email, email_clashes, role, status, created_at FROM users WHERE organisation_id = $1 AND status = $4 AND (search_text(full_name) LIKE (SELECT search_pattern($5)) OR search_text(email) LIKE (SELECT search_pattern($5)))
  ORDER BY created_at DESC, id DESC LIMIT (SELECT $2::bigint) OFFSET $3
)
SELECT counted.found, id AS user_id, full_name, email, email_clashes, role, status, ARRAY[(extract(epoch FROM created_at) * 1000000)::bigint::text, id::text] AS position
FROM counted LEFT JOIN page ON true
ORDER BY created_at DESC, id DESC;

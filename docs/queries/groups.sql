-- Written by scripts/generate-queries-doc.mjs. Do not edit by hand.

-- listGroups
-- GET /api/v1/groups/ (SPEC §14)
WITH counted AS (
  SELECT coalesce(sum(n.amount), 0)::integer AS found FROM contact_group_counts n WHERE n.account_id = $1
), page AS MATERIALIZED (
  (SELECT id, created_at FROM contact_groups WHERE account_id = $1 ORDER BY created_at DESC, id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT id, created_at FROM contact_groups WHERE account_id = $1 ORDER BY created_at, id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
)
SELECT counted.found, g.id, g.name, g.description, g.tags, g.contact_count, g.created_at
FROM counted LEFT JOIN (
  page CROSS JOIN LATERAL (SELECT * FROM contact_groups r WHERE r.account_id = $1 AND r.id = page.id OFFSET 0) g
) ON true
ORDER BY page.created_at DESC, page.id DESC;

-- searchGroups
-- GET /api/v1/groups/ (SPEC §14) with a search
WITH term AS MATERIALIZED (
  SELECT substring_pattern(lower($4)) AS folded
), matched AS MATERIALIZED (
  SELECT id, created_at FROM contact_groups
  WHERE account_id = $1 AND lower(name) LIKE (SELECT folded FROM term)
), counted AS (
  SELECT count(*)::integer AS found FROM matched
), page AS MATERIALIZED (
  SELECT id, created_at FROM matched ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
)
SELECT counted.found, g.id, g.name, g.description, g.tags, g.contact_count, g.created_at
FROM counted LEFT JOIN (
  page CROSS JOIN LATERAL (SELECT * FROM contact_groups r WHERE r.account_id = $1 AND r.id = page.id OFFSET 0) g
) ON true
ORDER BY page.created_at DESC, page.id DESC;

-- findGroup
-- GET /api/v1/groups/{group_id} (SPEC §16)
SELECT g.id, g.name, g.description, g.tags, g.contact_count, g.created_at FROM contact_groups g WHERE g.account_id = $1 AND g.id = $2;

-- listMembers
-- GET /api/v1/groups/{group_id}/contacts
WITH counted AS (
  SELECT contact_count AS found FROM contact_groups WHERE account_id = $1 AND id = $4
), page AS MATERIALIZED (
  (SELECT contact_id, added_at FROM group_members WHERE account_id = $1 AND group_id = $4 ORDER BY added_at DESC, contact_id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT contact_id, added_at FROM group_members WHERE account_id = $1 AND group_id = $4 ORDER BY added_at, contact_id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
)
SELECT counted.found, c.id, c.first_name, c.last_name, c.phone_number, c.email, c.company, c.tags, c.opted_in,
       c.source, c.created_at
FROM counted LEFT JOIN (
  page CROSS JOIN LATERAL (
    SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = page.contact_id OFFSET 0
  ) c
) ON true
ORDER BY page.added_at DESC, page.contact_id DESC;

-- holdContacts
-- POST and DELETE /api/v1/groups/{group_id}/contacts (SPEC §18, §19), before members change
SELECT id FROM contacts
WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL
ORDER BY phone_number
FOR SHARE;

-- knownGroups
-- POST /api/v1/campaigns/ with group_ids (D31)
SELECT id FROM contact_groups WHERE account_id = $1 AND id = ANY($2::uuid[]);

-- membersOfGroups
-- POST /api/v1/campaigns/ with group_ids (D31)
WITH member AS MATERIALIZED (
  SELECT DISTINCT contact_id FROM group_members WHERE account_id = $1 AND group_id = ANY($2::uuid[])
)
SELECT c.id, c.phone_number, c.first_name, c.last_name, c.opted_in
FROM member CROSS JOIN LATERAL (
  SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = member.contact_id AND r.deleted_at IS NULL OFFSET 0
) c
ORDER BY member.contact_id
LIMIT $3;

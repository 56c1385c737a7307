-- Written by scripts/generate-queries-doc.mjs. Do not edit by hand.

-- listGroups
-- GET /api/v1/groups/
WITH counted AS (
  SELECT coalesce(sum(amount), 0)::integer AS found FROM counter_amounts
  WHERE account_id = $1 AND counter = 'groups' AND subject_id = $1
), page AS MATERIALIZED (
  (SELECT id, created_at FROM contact_groups WHERE account_id = $1 AND deleted_at IS NULL ORDER BY created_at DESC, id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT id, created_at FROM contact_groups WHERE account_id = $1 AND deleted_at IS NULL ORDER BY created_at, id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
), members AS (
  SELECT subject_id, sum(amount)::integer AS contact_count FROM counter_amounts
  WHERE account_id = $1 AND counter = 'group.members' AND subject_id = ANY (ARRAY(SELECT id FROM page))
  GROUP BY subject_id
)
SELECT counted.found, g.id, g.name, g.description, g.tags, g.created_at, coalesce(members.contact_count, 0) AS contact_count, ARRAY[(extract(epoch FROM g.created_at) * 1000000)::bigint::text, g.id::text] AS position
FROM counted
LEFT JOIN contact_groups g ON g.account_id = $1 AND g.id = ANY (ARRAY(SELECT id FROM page))
LEFT JOIN members ON members.subject_id = g.id
ORDER BY g.created_at DESC, g.id DESC;

-- searchGroups
-- GET /api/v1/groups/ with a search
WITH matched AS MATERIALIZED (
  SELECT id, created_at FROM contact_groups g
  WHERE account_id = $1 AND deleted_at IS NULL AND search_text(name) LIKE (SELECT search_pattern($4))
), counted AS (
  SELECT count(*)::integer AS found FROM matched
), page AS MATERIALIZED (
  SELECT id, created_at FROM matched WHERE true ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
), members AS (
  SELECT subject_id, sum(amount)::integer AS contact_count FROM counter_amounts
  WHERE account_id = $1 AND counter = 'group.members' AND subject_id = ANY (ARRAY(SELECT id FROM page))
  GROUP BY subject_id
)
SELECT counted.found, g.id, g.name, g.description, g.tags, g.created_at, coalesce(members.contact_count, 0) AS contact_count, ARRAY[(extract(epoch FROM g.created_at) * 1000000)::bigint::text, g.id::text] AS position
FROM counted
LEFT JOIN contact_groups g ON g.account_id = $1 AND g.id = ANY (ARRAY(SELECT id FROM page))
LEFT JOIN members ON members.subject_id = g.id
ORDER BY g.created_at DESC, g.id DESC;

-- findGroup
-- GET /api/v1/groups/{group_id}
SELECT g.id, g.name, g.description, g.tags, g.created_at, (
  SELECT coalesce(sum(amount), 0)::integer FROM counter_amounts
  WHERE account_id = $1 AND counter = 'group.members' AND subject_id = g.id
) AS contact_count FROM contact_groups g
WHERE g.account_id = $1 AND g.id = $2 AND g.deleted_at IS NULL;

-- listMembers
-- GET /api/v1/groups/{group_id}/contacts
WITH counted AS (
  SELECT (
    SELECT coalesce(sum(amount), 0)::integer FROM counter_amounts
    WHERE account_id = $1 AND counter = 'group.members' AND subject_id = $4
  ) AS found
  FROM contact_groups WHERE account_id = $1 AND id = $4 AND deleted_at IS NULL
), page AS MATERIALIZED (
  (SELECT contact_id, added_at FROM group_members WHERE account_id = $1 AND group_id = $4 ORDER BY added_at DESC, contact_id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT contact_id, added_at FROM group_members WHERE account_id = $1 AND group_id = $4 ORDER BY added_at, contact_id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
)
SELECT counted.found, c.id, c.first_name, c.last_name, c.phone_number, c.user_id, c.username, c.email, c.company, c.tags, c.opted_in, c.source, c.created_at, ARRAY[(extract(epoch FROM page.added_at) * 1000000)::bigint::text, page.contact_id::text] AS position
FROM counted LEFT JOIN (
  contacts c JOIN page ON page.contact_id = c.id
) ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT contact_id FROM page))
ORDER BY page.added_at DESC, page.contact_id DESC;

-- lockForMembership
-- POST and DELETE /api/v1/groups/{group_id}/contacts, before members change
SELECT id FROM contacts
WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL
ORDER BY number_key(phone_number), id
FOR SHARE;

-- namesOfGroups
-- POST /api/v1/campaigns/ with group_ids
SELECT id, name FROM contact_groups WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL;

-- membersOfGroups
-- POST /api/v1/campaigns/ with group_ids
SELECT c.id, c.phone_number, c.user_id
FROM (
  SELECT DISTINCT m.contact_id FROM group_members m
  JOIN contact_groups g ON g.account_id = m.account_id AND g.id = m.group_id AND g.deleted_at IS NULL
  WHERE m.account_id = $1 AND m.group_id = ANY($2::uuid[])
) member
CROSS JOIN LATERAL (
  SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = member.contact_id AND r.deleted_at IS NULL OFFSET 0
) c
ORDER BY member.contact_id
LIMIT $3;

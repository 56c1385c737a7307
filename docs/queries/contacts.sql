-- Written by scripts/generate-queries-doc.mjs. Do not edit by hand.

-- listContacts
-- GET /api/v1/contacts/
WITH counted AS (
  SELECT coalesce(sum(amount), 0)::integer AS found FROM counter_amounts
  WHERE account_id = $1 AND counter = 'contacts' AND subject_id = $1
), page AS MATERIALIZED (
  (SELECT id, created_at FROM contacts WHERE account_id = $1 AND deleted_at IS NULL ORDER BY created_at DESC, id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT id, created_at FROM contacts WHERE account_id = $1 AND deleted_at IS NULL ORDER BY created_at, id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
)
SELECT counted.found, c.id, c.first_name, c.last_name, c.phone_number, c.user_id, c.username, c.email, c.company, c.tags, c.opted_in, c.source, c.created_at
FROM counted LEFT JOIN contacts c ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT id FROM page))
ORDER BY c.created_at DESC, c.id DESC;

-- searchContacts
-- GET /api/v1/contacts/ with a search that contains a trigram
WITH term AS MATERIALIZED (
  SELECT search_key($4) AS key, substring_pattern(lower($4)) AS folded, substring_pattern($4) AS literal
), sample AS MATERIALIZED (
  SELECT contact_search_key(first_name, last_name, phone_number, email) AS key FROM contacts
  WHERE account_id = $1 AND deleted_at IS NULL
  ORDER BY created_at DESC, id DESC LIMIT 50
), rare AS MATERIALIZED (
  SELECT place FROM term, generate_series(1, length(term.key) - 2) place
  WHERE (SELECT count(*) FROM sample WHERE strpos(sample.key, substr(term.key, place, 3)) > 0) < 25
), narrow AS MATERIALIZED (
  SELECT replace(
      substring_pattern(string_agg(
        CASE WHEN EXISTS (SELECT FROM rare WHERE rare.place BETWEEN letter - 2 AND letter) OR NOT EXISTS (SELECT FROM rare)
             THEN substr(term.key, letter, 1) ELSE chr(1) END,
        '' ORDER BY letter)),
      chr(1), '%') AS pattern
  FROM term, generate_series(1, length(term.key)) letter
), matched AS MATERIALIZED (
  SELECT id, created_at FROM contacts
  WHERE account_id = $1 AND deleted_at IS NULL
    AND contact_search_key(first_name, last_name, phone_number, email) LIKE (SELECT pattern FROM narrow)
    AND (
      lower(first_name || coalesce(' ' || last_name, '')) LIKE (SELECT folded FROM term)
      OR phone_number LIKE (SELECT literal FROM term)
      OR lower(email) LIKE (SELECT folded FROM term)
    )
), counted AS (
  SELECT count(*)::integer AS found FROM matched
), page AS MATERIALIZED (
  SELECT id, created_at FROM matched ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
)
SELECT counted.found, c.id, c.first_name, c.last_name, c.phone_number, c.user_id, c.username, c.email, c.company, c.tags, c.opted_in, c.source, c.created_at
FROM counted LEFT JOIN contacts c ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT id FROM page))
ORDER BY c.created_at DESC, c.id DESC;

-- searchContacts: short
-- GET /api/v1/contacts/ with a search too short for the trigram index
WITH term AS MATERIALIZED (
  SELECT search_key($4) AS key, substring_pattern(lower($4)) AS folded, substring_pattern($4) AS literal
), matched AS MATERIALIZED (
  SELECT id, created_at FROM contacts
  WHERE account_id = $1 AND deleted_at IS NULL
    AND (
      lower(first_name || coalesce(' ' || last_name, '')) LIKE (SELECT folded FROM term)
      OR phone_number LIKE (SELECT literal FROM term)
      OR lower(email) LIKE (SELECT folded FROM term)
    )
), counted AS (
  SELECT count(*)::integer AS found FROM matched
), page AS MATERIALIZED (
  SELECT id, created_at FROM matched ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
)
SELECT counted.found, c.id, c.first_name, c.last_name, c.phone_number, c.user_id, c.username, c.email, c.company, c.tags, c.opted_in, c.source, c.created_at
FROM counted LEFT JOIN contacts c ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT id FROM page))
ORDER BY c.created_at DESC, c.id DESC;

-- contactsAfter
-- GET /api/v1/contacts/export, page by page
SELECT c.id, c.first_name, c.last_name, c.phone_number, c.user_id, c.username, c.email, c.company, c.tags, c.opted_in, c.source, c.created_at
FROM contacts c
WHERE c.account_id = $1 AND c.id > $2 AND c.deleted_at IS NULL
ORDER BY c.id
LIMIT $3;

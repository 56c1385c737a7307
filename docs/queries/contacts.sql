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
SELECT counted.found, c.id, c.first_name, c.last_name, c.phone_number, c.user_id, c.username, c.email, c.company, c.tags, c.opted_in, c.source, c.created_at, ARRAY[(extract(epoch FROM c.created_at) * 1000000)::bigint::text, c.id::text] AS position
FROM counted LEFT JOIN contacts c ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT id FROM page))
ORDER BY c.created_at DESC, c.id DESC;

-- searchContacts
-- GET /api/v1/contacts/ with a search that contains a trigram
WITH needle AS MATERIALIZED (
  SELECT false AS is_number, left(search_key(btrim(search_text($4))), 200) AS key, search_pattern($4) AS pattern
), sample AS MATERIALIZED (
  SELECT contact_search_key(first_name, last_name, username, email, user_id, phone_number, wa_id) AS key FROM contacts
  WHERE account_id = $1 AND deleted_at IS NULL
  ORDER BY created_at DESC, id DESC LIMIT 50
), rare AS MATERIALIZED (
  SELECT n.is_number, place FROM needle n, generate_series(1, length(n.key) - 2) place
  WHERE (SELECT count(*) FROM sample WHERE strpos(sample.key, substr(n.key, place, 3)) > 0) < 25
), narrow AS MATERIALIZED (
  SELECT n.is_number, replace(
      substring_pattern(string_agg(
        CASE WHEN EXISTS (SELECT FROM rare r WHERE r.is_number = n.is_number AND r.place BETWEEN letter - 2 AND letter)
                  OR NOT EXISTS (SELECT FROM rare r WHERE r.is_number = n.is_number)
             THEN substr(n.key, letter, 1) ELSE chr(1) END,
        '' ORDER BY letter)),
      chr(1), '%') AS pattern
  FROM needle n, generate_series(1, length(n.key)) letter
  GROUP BY n.is_number, n.key
), matched AS MATERIALIZED (
  SELECT id, created_at FROM contacts c
  WHERE account_id = $1 AND deleted_at IS NULL
    AND contact_search_key(first_name, last_name, username, email, user_id, phone_number, wa_id) LIKE (SELECT pattern FROM narrow WHERE NOT is_number)
    AND contact_search_text(first_name, last_name, username, email, user_id, phone_number, wa_id) LIKE ANY (ARRAY(SELECT pattern FROM needle))
), counted AS (
  SELECT count(*)::integer AS found FROM matched
), page AS MATERIALIZED (
  SELECT id, created_at FROM matched WHERE true ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
)
SELECT counted.found, c.id, c.first_name, c.last_name, c.phone_number, c.user_id, c.username, c.email, c.company, c.tags, c.opted_in, c.source, c.created_at, ARRAY[(extract(epoch FROM c.created_at) * 1000000)::bigint::text, c.id::text] AS position
FROM counted LEFT JOIN contacts c ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT id FROM page))
ORDER BY c.created_at DESC, c.id DESC;

-- searchContacts: number
-- GET /api/v1/contacts/ with a search that is written as a number
WITH needle AS MATERIALIZED (
  SELECT false AS is_number, left(search_key(btrim(search_text($4))), 200) AS key, search_pattern($4) AS pattern
  UNION ALL
  SELECT true, left(search_digits($4), 200), '%' || chr(30) || substring_pattern(search_digits($4))
  WHERE search_digits($4) <> btrim(search_text($4))
), sample AS MATERIALIZED (
  SELECT contact_search_key(first_name, last_name, username, email, user_id, phone_number, wa_id) AS key FROM contacts
  WHERE account_id = $1 AND deleted_at IS NULL
  ORDER BY created_at DESC, id DESC LIMIT 50
), rare AS MATERIALIZED (
  SELECT n.is_number, place FROM needle n, generate_series(1, length(n.key) - 2) place
  WHERE (SELECT count(*) FROM sample WHERE strpos(sample.key, substr(n.key, place, 3)) > 0) < 25
), narrow AS MATERIALIZED (
  SELECT n.is_number, replace(
      substring_pattern(string_agg(
        CASE WHEN EXISTS (SELECT FROM rare r WHERE r.is_number = n.is_number AND r.place BETWEEN letter - 2 AND letter)
                  OR NOT EXISTS (SELECT FROM rare r WHERE r.is_number = n.is_number)
             THEN substr(n.key, letter, 1) ELSE chr(1) END,
        '' ORDER BY letter)),
      chr(1), '%') AS pattern
  FROM needle n, generate_series(1, length(n.key)) letter
  GROUP BY n.is_number, n.key
), matched AS MATERIALIZED (
  SELECT id, created_at FROM contacts c
  WHERE account_id = $1 AND deleted_at IS NULL
    AND (contact_search_key(first_name, last_name, username, email, user_id, phone_number, wa_id) LIKE (SELECT pattern FROM narrow WHERE NOT is_number) OR contact_search_key(first_name, last_name, username, email, user_id, phone_number, wa_id) LIKE (SELECT pattern FROM narrow WHERE is_number))
    AND contact_search_text(first_name, last_name, username, email, user_id, phone_number, wa_id) LIKE ANY (ARRAY(SELECT pattern FROM needle))
), counted AS (
  SELECT count(*)::integer AS found FROM matched
), page AS MATERIALIZED (
  SELECT id, created_at FROM matched WHERE true ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
)
SELECT counted.found, c.id, c.first_name, c.last_name, c.phone_number, c.user_id, c.username, c.email, c.company, c.tags, c.opted_in, c.source, c.created_at, ARRAY[(extract(epoch FROM c.created_at) * 1000000)::bigint::text, c.id::text] AS position
FROM counted LEFT JOIN contacts c ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT id FROM page))
ORDER BY c.created_at DESC, c.id DESC;

-- searchContacts: short
-- GET /api/v1/contacts/ with a search too short for the trigram index
WITH needle AS MATERIALIZED (
  SELECT false AS is_number, left(search_key(btrim(search_text($4))), 200) AS key, search_pattern($4) AS pattern
), matched AS MATERIALIZED (
  SELECT id, created_at FROM contacts c
  WHERE account_id = $1 AND deleted_at IS NULL
    AND contact_search_text(first_name, last_name, username, email, user_id, phone_number, wa_id) LIKE ANY (ARRAY(SELECT pattern FROM needle))
), counted AS (
  SELECT count(*)::integer AS found FROM matched
), page AS MATERIALIZED (
  SELECT id, created_at FROM matched WHERE true ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
)
SELECT counted.found, c.id, c.first_name, c.last_name, c.phone_number, c.user_id, c.username, c.email, c.company, c.tags, c.opted_in, c.source, c.created_at, ARRAY[(extract(epoch FROM c.created_at) * 1000000)::bigint::text, c.id::text] AS position
FROM counted LEFT JOIN contacts c ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT id FROM page))
ORDER BY c.created_at DESC, c.id DESC;

-- contactsAfter
-- GET /api/v1/contacts/export, page by page
SELECT c.id, c.first_name, c.last_name, c.phone_number, c.user_id, c.username, c.email, c.company, c.tags, c.opted_in, c.source, c.created_at
FROM contacts c
WHERE c.account_id = $1 AND c.id > $2 AND c.deleted_at IS NULL
ORDER BY c.id
LIMIT $3;

-- Written by scripts/generate-queries-doc.mjs. Do not edit by hand.

-- listMessages
-- GET /api/v1/messages/
SELECT p.partition, k.kind, sum(n.amount)::float8 AS amount
FROM (
  SELECT c.relname::text AS partition FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'messages'::regclass AND NOT i.inhdetachpending
) p
CROSS JOIN unnest($3::text[]) AS k (kind)
JOIN counter_amounts n
  ON n.account_id = $1 AND n.counter = CASE k.kind WHEN '' THEN p.partition ELSE p.partition || '.' || k.kind END
     AND n.subject_id = $2
GROUP BY 1, 2;

WITH page AS MATERIALIZED (
  SELECT part.id FROM unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::boolean[])
         AS s (since, until, skipped, taken, oldest_first)
  CROSS JOIN LATERAL (
    SELECT m.id FROM messages m WHERE m.account_id = $1 AND m.id >= s.since AND m.id < s.until ORDER BY id DESC LIMIT CASE WHEN s.oldest_first THEN 0 ELSE s.taken END OFFSET s.skipped
  ) part
  UNION ALL
  SELECT part.id FROM unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::boolean[])
         AS s (since, until, skipped, taken, oldest_first)
  CROSS JOIN LATERAL (
    SELECT m.id FROM messages m WHERE m.account_id = $1 AND m.id >= s.since AND m.id < s.until ORDER BY id LIMIT CASE WHEN s.oldest_first THEN s.taken ELSE 0 END OFFSET s.skipped
  ) part
)
SELECT m.id, m.direction, m.contact_id, c.phone_number AS contact_phone, c.user_id AS contact_user_id,
       c.first_name, c.last_name, m.business_phone_id, m.message_type, CASE WHEN c.erased_at IS NULL THEN m.content ELSE '' END AS content, m.template_name,
       m.campaign_id, g.name AS campaign_name, m.status, m.seen, CASE WHEN c.erased_at IS NULL THEN m.network_message_id ELSE NULL END AS network_message_id,
       m.error_code, CASE WHEN c.erased_at IS NULL THEN m.error_message ELSE NULL END AS error_message, m.pricing, m.created_at,
       m.accepted_at, m.sent_at, m.delivered_at, m.read_at, m.clicked_at, m.failed_at FROM messages m
JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id
  WHERE m.account_id = $1 AND m.id = ANY (ARRAY(SELECT id FROM page))
  ORDER BY m.id DESC;

-- listMessages: status
-- GET /api/v1/messages/ with a status
SELECT p.partition, k.kind, sum(n.amount)::float8 AS amount
FROM (
  SELECT c.relname::text AS partition FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'messages'::regclass AND NOT i.inhdetachpending
) p
CROSS JOIN unnest($3::text[]) AS k (kind)
JOIN counter_amounts n
  ON n.account_id = $1 AND n.counter = CASE k.kind WHEN '' THEN p.partition ELSE p.partition || '.' || k.kind END
     AND n.subject_id = $2
GROUP BY 1, 2;

WITH page AS MATERIALIZED (
  SELECT part.id FROM unnest($3::uuid[], $4::uuid[], $5::bigint[], $6::bigint[], $7::boolean[])
         AS s (since, until, skipped, taken, oldest_first)
  CROSS JOIN LATERAL (
    SELECT m.id FROM messages m WHERE m.account_id = $1 AND m.status = $2 AND m.id >= s.since AND m.id < s.until ORDER BY id DESC LIMIT CASE WHEN s.oldest_first THEN 0 ELSE s.taken END OFFSET s.skipped
  ) part
  UNION ALL
  SELECT part.id FROM unnest($3::uuid[], $4::uuid[], $5::bigint[], $6::bigint[], $7::boolean[])
         AS s (since, until, skipped, taken, oldest_first)
  CROSS JOIN LATERAL (
    SELECT m.id FROM messages m WHERE m.account_id = $1 AND m.status = $2 AND m.id >= s.since AND m.id < s.until ORDER BY id LIMIT CASE WHEN s.oldest_first THEN s.taken ELSE 0 END OFFSET s.skipped
  ) part
)
SELECT m.id, m.direction, m.contact_id, c.phone_number AS contact_phone, c.user_id AS contact_user_id,
       c.first_name, c.last_name, m.business_phone_id, m.message_type, CASE WHEN c.erased_at IS NULL THEN m.content ELSE '' END AS content, m.template_name,
       m.campaign_id, g.name AS campaign_name, m.status, m.seen, CASE WHEN c.erased_at IS NULL THEN m.network_message_id ELSE NULL END AS network_message_id,
       m.error_code, CASE WHEN c.erased_at IS NULL THEN m.error_message ELSE NULL END AS error_message, m.pricing, m.created_at,
       m.accepted_at, m.sent_at, m.delivered_at, m.read_at, m.clicked_at, m.failed_at FROM messages m
JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id
  WHERE m.account_id = $1 AND m.id = ANY (ARRAY(SELECT id FROM page))
  ORDER BY m.id DESC;

-- listMessages: direction
-- GET /api/v1/messages/ with a direction
SELECT p.partition, k.kind, sum(n.amount)::float8 AS amount
FROM (
  SELECT c.relname::text AS partition FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'messages'::regclass AND NOT i.inhdetachpending
) p
CROSS JOIN unnest($3::text[]) AS k (kind)
JOIN counter_amounts n
  ON n.account_id = $1 AND n.counter = CASE k.kind WHEN '' THEN p.partition ELSE p.partition || '.' || k.kind END
     AND n.subject_id = $2
GROUP BY 1, 2;

WITH page AS MATERIALIZED (
  SELECT part.id FROM unnest($3::uuid[], $4::uuid[], $5::bigint[], $6::bigint[], $7::boolean[])
         AS s (since, until, skipped, taken, oldest_first)
  CROSS JOIN LATERAL (
    SELECT m.id FROM messages m WHERE m.account_id = $1 AND m.direction = $2 AND m.id >= s.since AND m.id < s.until ORDER BY id DESC LIMIT CASE WHEN s.oldest_first THEN 0 ELSE s.taken END OFFSET s.skipped
  ) part
  UNION ALL
  SELECT part.id FROM unnest($3::uuid[], $4::uuid[], $5::bigint[], $6::bigint[], $7::boolean[])
         AS s (since, until, skipped, taken, oldest_first)
  CROSS JOIN LATERAL (
    SELECT m.id FROM messages m WHERE m.account_id = $1 AND m.direction = $2 AND m.id >= s.since AND m.id < s.until ORDER BY id LIMIT CASE WHEN s.oldest_first THEN s.taken ELSE 0 END OFFSET s.skipped
  ) part
)
SELECT m.id, m.direction, m.contact_id, c.phone_number AS contact_phone, c.user_id AS contact_user_id,
       c.first_name, c.last_name, m.business_phone_id, m.message_type, CASE WHEN c.erased_at IS NULL THEN m.content ELSE '' END AS content, m.template_name,
       m.campaign_id, g.name AS campaign_name, m.status, m.seen, CASE WHEN c.erased_at IS NULL THEN m.network_message_id ELSE NULL END AS network_message_id,
       m.error_code, CASE WHEN c.erased_at IS NULL THEN m.error_message ELSE NULL END AS error_message, m.pricing, m.created_at,
       m.accepted_at, m.sent_at, m.delivered_at, m.read_at, m.clicked_at, m.failed_at FROM messages m
JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id
  WHERE m.account_id = $1 AND m.id = ANY (ARRAY(SELECT id FROM page))
  ORDER BY m.id DESC;

-- Written by scripts/generate-queries-doc.mjs. Do not edit by hand.

-- findDeliveries
-- GET /api/v1/webhooks/{id}/deliveries
SELECT p.partition, k.kind, sum(n.amount)::float8 AS amount
FROM (
  SELECT c.relname::text AS partition FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'webhook_deliveries'::regclass AND NOT i.inhdetachpending
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
    SELECT d.id FROM webhook_deliveries d WHERE d.account_id = $1 AND d.endpoint_id = $2 AND d.id >= s.since AND d.id < s.until ORDER BY id DESC LIMIT CASE WHEN s.oldest_first THEN 0 ELSE s.taken END OFFSET s.skipped
  ) part
  UNION ALL
  SELECT part.id FROM unnest($3::uuid[], $4::uuid[], $5::bigint[], $6::bigint[], $7::boolean[])
         AS s (since, until, skipped, taken, oldest_first)
  CROSS JOIN LATERAL (
    SELECT d.id FROM webhook_deliveries d WHERE d.account_id = $1 AND d.endpoint_id = $2 AND d.id >= s.since AND d.id < s.until ORDER BY id LIMIT CASE WHEN s.oldest_first THEN s.taken ELSE 0 END OFFSET s.skipped
  ) part
)
SELECT d.id, d.kind, d.event_id, d.status, d.next_attempt_at, d.created_at
FROM webhook_deliveries d
WHERE d.account_id = $1 AND d.id = ANY (ARRAY(SELECT id FROM page))
ORDER BY d.id DESC;

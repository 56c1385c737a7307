-- Written by scripts/generate-queries-doc.mjs. Do not edit by hand.

-- findAssignment
-- GET /api/v1/conversations/{contact_phone}/assignment
SELECT t.business_phone_id, t.status, t.assigned_to, u.full_name AS assigned_to_name, t.assigned_at, c.phone_number,
       c.user_id
FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
LEFT JOIN users u ON u.id = t.assigned_to
WHERE c.account_id = $1 AND c.id = (SELECT coalesce(a.merged_into, a.id) FROM contacts a WHERE a.account_id = $1 AND number_key(a.phone_number) = number_key($2) AND NOT a.is_duplicate) AND ($3::uuid IS NULL OR t.business_phone_id = $3)
ORDER BY t.active_at DESC, t.business_phone_id DESC
LIMIT 1;

-- lockConversation
-- POST /api/v1/conversations/{contact_phone}/assign, unassign, reopen and resolve
SELECT t.contact_id, t.business_phone_id, t.status, t.assigned_to, t.changed_at, c.phone_number, c.user_id
FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
WHERE c.account_id = $1 AND c.id = (SELECT coalesce(a.merged_into, a.id) FROM contacts a WHERE a.account_id = $1 AND number_key(a.phone_number) = number_key($2) AND NOT a.is_duplicate) AND ($3::uuid IS NULL OR t.business_phone_id = $3)
ORDER BY t.active_at DESC, t.business_phone_id DESC
LIMIT 1
FOR NO KEY UPDATE OF t;

-- listConversations
-- GET /api/v1/conversations/
WITH counted AS (
  SELECT coalesce(sum(n.amount), 0)::integer AS found FROM counter_amounts n
  WHERE n.account_id = $1 AND n.counter IN ('conversations.open', 'conversations.resolved')
), page AS MATERIALIZED (
  (SELECT * FROM (
     (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NULL ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NOT NULL ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to IS NULL ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to IS NOT NULL ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
   ) merged ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT * FROM (
     (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NULL ORDER BY active_at, contact_id, business_phone_id)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NOT NULL ORDER BY active_at, contact_id, business_phone_id)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to IS NULL ORDER BY active_at, contact_id, business_phone_id)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to IS NOT NULL ORDER BY active_at, contact_id, business_phone_id)
   ) merged ORDER BY active_at, contact_id, business_phone_id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
)
SELECT counted.found, t.contact_id, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at, t.waiting_since,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at,
       l.direction AS last_message_direction, l.status AS last_message_status, ARRAY[(extract(epoch FROM page.active_at) * 1000000)::bigint::text, page.contact_id::text, page.business_phone_id::text] AS position
FROM counted LEFT JOIN (
  page
  CROSS JOIN LATERAL (
    SELECT * FROM conversations r
    WHERE r.account_id = $1 AND r.contact_id = page.contact_id AND r.business_phone_id = page.business_phone_id
    OFFSET 0
  ) t
  CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = t.contact_id OFFSET 0) c
  LEFT JOIN LATERAL (
    SELECT * FROM conversation_assignments r
    WHERE r.account_id = $1 AND r.contact_id = t.contact_id AND r.business_phone_id = t.business_phone_id
      AND r.held_until IS NULL
    OFFSET 0
  ) h ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = t.assigned_to OFFSET 0) u ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = h.previous_user_id OFFSET 0) p ON true
  LEFT JOIN LATERAL (
    SELECT last.direction, last.status
    FROM unnest(ARRAY(SELECT t.contact_id::uuid UNION ALL SELECT p.id FROM contacts p WHERE p.account_id = $1 AND p.merged_into = t.contact_id)) AS one (id)
    CROSS JOIN LATERAL (
      SELECT m.id, m.direction, m.status
      FROM (SELECT r.id, r.direction, r.status, r.business_phone_id, r.message_type FROM messages r
            WHERE r.account_id = $1 AND r.contact_id = one.id ORDER BY r.id DESC LIMIT 100) m
      WHERE m.business_phone_id = t.business_phone_id AND m.message_type <> 'system' LIMIT 1
    ) last
    ORDER BY last.id DESC LIMIT 1
  ) l ON true
) ON true
ORDER BY page.active_at DESC, page.contact_id DESC, page.business_phone_id DESC;

-- listConversations: status
-- GET /api/v1/conversations/, those of one status
WITH counted AS (
  SELECT coalesce(sum(n.amount), 0)::integer AS found FROM counter_amounts n
  WHERE n.account_id = $1 AND n.counter IN ('conversations.open')
), page AS MATERIALIZED (
  (SELECT * FROM (
     (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NULL ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NOT NULL ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
   ) merged ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT * FROM (
     (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NULL ORDER BY active_at, contact_id, business_phone_id)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NOT NULL ORDER BY active_at, contact_id, business_phone_id)
   ) merged ORDER BY active_at, contact_id, business_phone_id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
)
SELECT counted.found, t.contact_id, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at, t.waiting_since,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at,
       l.direction AS last_message_direction, l.status AS last_message_status, ARRAY[(extract(epoch FROM page.active_at) * 1000000)::bigint::text, page.contact_id::text, page.business_phone_id::text] AS position
FROM counted LEFT JOIN (
  page
  CROSS JOIN LATERAL (
    SELECT * FROM conversations r
    WHERE r.account_id = $1 AND r.contact_id = page.contact_id AND r.business_phone_id = page.business_phone_id
    OFFSET 0
  ) t
  CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = t.contact_id OFFSET 0) c
  LEFT JOIN LATERAL (
    SELECT * FROM conversation_assignments r
    WHERE r.account_id = $1 AND r.contact_id = t.contact_id AND r.business_phone_id = t.business_phone_id
      AND r.held_until IS NULL
    OFFSET 0
  ) h ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = t.assigned_to OFFSET 0) u ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = h.previous_user_id OFFSET 0) p ON true
  LEFT JOIN LATERAL (
    SELECT last.direction, last.status
    FROM unnest(ARRAY(SELECT t.contact_id::uuid UNION ALL SELECT p.id FROM contacts p WHERE p.account_id = $1 AND p.merged_into = t.contact_id)) AS one (id)
    CROSS JOIN LATERAL (
      SELECT m.id, m.direction, m.status
      FROM (SELECT r.id, r.direction, r.status, r.business_phone_id, r.message_type FROM messages r
            WHERE r.account_id = $1 AND r.contact_id = one.id ORDER BY r.id DESC LIMIT 100) m
      WHERE m.business_phone_id = t.business_phone_id AND m.message_type <> 'system' LIMIT 1
    ) last
    ORDER BY last.id DESC LIMIT 1
  ) l ON true
) ON true
ORDER BY page.active_at DESC, page.contact_id DESC, page.business_phone_id DESC;

-- listConversations: assigned_to
-- GET /api/v1/conversations/, those of one assignee
WITH counted AS (
  SELECT coalesce(sum(n.amount), 0)::integer AS found FROM counter_amounts n
  WHERE n.account_id = $1 AND n.counter IN ('conversations.open', 'conversations.resolved') AND n.subject_id = $4::uuid
), page AS MATERIALIZED (
  (SELECT * FROM (
     (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to = $4::uuid ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to = $4::uuid ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
   ) merged ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT * FROM (
     (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to = $4::uuid ORDER BY active_at, contact_id, business_phone_id)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to = $4::uuid ORDER BY active_at, contact_id, business_phone_id)
   ) merged ORDER BY active_at, contact_id, business_phone_id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
)
SELECT counted.found, t.contact_id, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at, t.waiting_since,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at,
       l.direction AS last_message_direction, l.status AS last_message_status, ARRAY[(extract(epoch FROM page.active_at) * 1000000)::bigint::text, page.contact_id::text, page.business_phone_id::text] AS position
FROM counted LEFT JOIN (
  page
  CROSS JOIN LATERAL (
    SELECT * FROM conversations r
    WHERE r.account_id = $1 AND r.contact_id = page.contact_id AND r.business_phone_id = page.business_phone_id
    OFFSET 0
  ) t
  CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = t.contact_id OFFSET 0) c
  LEFT JOIN LATERAL (
    SELECT * FROM conversation_assignments r
    WHERE r.account_id = $1 AND r.contact_id = t.contact_id AND r.business_phone_id = t.business_phone_id
      AND r.held_until IS NULL
    OFFSET 0
  ) h ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = t.assigned_to OFFSET 0) u ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = h.previous_user_id OFFSET 0) p ON true
  LEFT JOIN LATERAL (
    SELECT last.direction, last.status
    FROM unnest(ARRAY(SELECT t.contact_id::uuid UNION ALL SELECT p.id FROM contacts p WHERE p.account_id = $1 AND p.merged_into = t.contact_id)) AS one (id)
    CROSS JOIN LATERAL (
      SELECT m.id, m.direction, m.status
      FROM (SELECT r.id, r.direction, r.status, r.business_phone_id, r.message_type FROM messages r
            WHERE r.account_id = $1 AND r.contact_id = one.id ORDER BY r.id DESC LIMIT 100) m
      WHERE m.business_phone_id = t.business_phone_id AND m.message_type <> 'system' LIMIT 1
    ) last
    ORDER BY last.id DESC LIMIT 1
  ) l ON true
) ON true
ORDER BY page.active_at DESC, page.contact_id DESC, page.business_phone_id DESC;

-- listConversations: status, assigned_to
-- GET /api/v1/conversations/, those of one status and assignee
WITH counted AS (
  SELECT coalesce(sum(n.amount), 0)::integer AS found FROM counter_amounts n
  WHERE n.account_id = $1 AND n.counter IN ('conversations.open') AND n.subject_id = $4::uuid
), page AS MATERIALIZED (
  (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to = $4::uuid ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to = $4::uuid ORDER BY active_at, contact_id, business_phone_id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
)
SELECT counted.found, t.contact_id, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at, t.waiting_since,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at,
       l.direction AS last_message_direction, l.status AS last_message_status, ARRAY[(extract(epoch FROM page.active_at) * 1000000)::bigint::text, page.contact_id::text, page.business_phone_id::text] AS position
FROM counted LEFT JOIN (
  page
  CROSS JOIN LATERAL (
    SELECT * FROM conversations r
    WHERE r.account_id = $1 AND r.contact_id = page.contact_id AND r.business_phone_id = page.business_phone_id
    OFFSET 0
  ) t
  CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = t.contact_id OFFSET 0) c
  LEFT JOIN LATERAL (
    SELECT * FROM conversation_assignments r
    WHERE r.account_id = $1 AND r.contact_id = t.contact_id AND r.business_phone_id = t.business_phone_id
      AND r.held_until IS NULL
    OFFSET 0
  ) h ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = t.assigned_to OFFSET 0) u ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = h.previous_user_id OFFSET 0) p ON true
  LEFT JOIN LATERAL (
    SELECT last.direction, last.status
    FROM unnest(ARRAY(SELECT t.contact_id::uuid UNION ALL SELECT p.id FROM contacts p WHERE p.account_id = $1 AND p.merged_into = t.contact_id)) AS one (id)
    CROSS JOIN LATERAL (
      SELECT m.id, m.direction, m.status
      FROM (SELECT r.id, r.direction, r.status, r.business_phone_id, r.message_type FROM messages r
            WHERE r.account_id = $1 AND r.contact_id = one.id ORDER BY r.id DESC LIMIT 100) m
      WHERE m.business_phone_id = t.business_phone_id AND m.message_type <> 'system' LIMIT 1
    ) last
    ORDER BY last.id DESC LIMIT 1
  ) l ON true
) ON true
ORDER BY page.active_at DESC, page.contact_id DESC, page.business_phone_id DESC;

-- listConversations: unassigned
-- GET /api/v1/conversations/, those that are unassigned
WITH counted AS (
  SELECT coalesce(sum(n.amount), 0)::integer AS found FROM counter_amounts n
  WHERE n.account_id = $1 AND n.counter IN ('conversations.open', 'conversations.resolved') AND n.subject_id = '00000000-0000-0000-0000-000000000000'
), page AS MATERIALIZED (
  (SELECT * FROM (
     (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NULL ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to IS NULL ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
   ) merged ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT * FROM (
     (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NULL ORDER BY active_at, contact_id, business_phone_id)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to IS NULL ORDER BY active_at, contact_id, business_phone_id)
   ) merged ORDER BY active_at, contact_id, business_phone_id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
)
SELECT counted.found, t.contact_id, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at, t.waiting_since,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at,
       l.direction AS last_message_direction, l.status AS last_message_status, ARRAY[(extract(epoch FROM page.active_at) * 1000000)::bigint::text, page.contact_id::text, page.business_phone_id::text] AS position
FROM counted LEFT JOIN (
  page
  CROSS JOIN LATERAL (
    SELECT * FROM conversations r
    WHERE r.account_id = $1 AND r.contact_id = page.contact_id AND r.business_phone_id = page.business_phone_id
    OFFSET 0
  ) t
  CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = t.contact_id OFFSET 0) c
  LEFT JOIN LATERAL (
    SELECT * FROM conversation_assignments r
    WHERE r.account_id = $1 AND r.contact_id = t.contact_id AND r.business_phone_id = t.business_phone_id
      AND r.held_until IS NULL
    OFFSET 0
  ) h ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = t.assigned_to OFFSET 0) u ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = h.previous_user_id OFFSET 0) p ON true
  LEFT JOIN LATERAL (
    SELECT last.direction, last.status
    FROM unnest(ARRAY(SELECT t.contact_id::uuid UNION ALL SELECT p.id FROM contacts p WHERE p.account_id = $1 AND p.merged_into = t.contact_id)) AS one (id)
    CROSS JOIN LATERAL (
      SELECT m.id, m.direction, m.status
      FROM (SELECT r.id, r.direction, r.status, r.business_phone_id, r.message_type FROM messages r
            WHERE r.account_id = $1 AND r.contact_id = one.id ORDER BY r.id DESC LIMIT 100) m
      WHERE m.business_phone_id = t.business_phone_id AND m.message_type <> 'system' LIMIT 1
    ) last
    ORDER BY last.id DESC LIMIT 1
  ) l ON true
) ON true
ORDER BY page.active_at DESC, page.contact_id DESC, page.business_phone_id DESC;

-- listConversations: assigned
-- GET /api/v1/conversations/, those that are assigned
WITH counted AS (
  SELECT coalesce(sum(n.amount), 0)::integer AS found FROM counter_amounts n
  WHERE n.account_id = $1 AND n.counter IN ('conversations.open', 'conversations.resolved') AND n.subject_id <> '00000000-0000-0000-0000-000000000000'
), page AS MATERIALIZED (
  (SELECT * FROM (
     (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NOT NULL ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to IS NOT NULL ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC)
   ) merged ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT * FROM (
     (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'open' AND t.assigned_to IS NOT NULL ORDER BY active_at, contact_id, business_phone_id)
     UNION ALL (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to IS NOT NULL ORDER BY active_at, contact_id, business_phone_id)
   ) merged ORDER BY active_at, contact_id, business_phone_id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
)
SELECT counted.found, t.contact_id, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at, t.waiting_since,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at,
       l.direction AS last_message_direction, l.status AS last_message_status, ARRAY[(extract(epoch FROM page.active_at) * 1000000)::bigint::text, page.contact_id::text, page.business_phone_id::text] AS position
FROM counted LEFT JOIN (
  page
  CROSS JOIN LATERAL (
    SELECT * FROM conversations r
    WHERE r.account_id = $1 AND r.contact_id = page.contact_id AND r.business_phone_id = page.business_phone_id
    OFFSET 0
  ) t
  CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = t.contact_id OFFSET 0) c
  LEFT JOIN LATERAL (
    SELECT * FROM conversation_assignments r
    WHERE r.account_id = $1 AND r.contact_id = t.contact_id AND r.business_phone_id = t.business_phone_id
      AND r.held_until IS NULL
    OFFSET 0
  ) h ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = t.assigned_to OFFSET 0) u ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = h.previous_user_id OFFSET 0) p ON true
  LEFT JOIN LATERAL (
    SELECT last.direction, last.status
    FROM unnest(ARRAY(SELECT t.contact_id::uuid UNION ALL SELECT p.id FROM contacts p WHERE p.account_id = $1 AND p.merged_into = t.contact_id)) AS one (id)
    CROSS JOIN LATERAL (
      SELECT m.id, m.direction, m.status
      FROM (SELECT r.id, r.direction, r.status, r.business_phone_id, r.message_type FROM messages r
            WHERE r.account_id = $1 AND r.contact_id = one.id ORDER BY r.id DESC LIMIT 100) m
      WHERE m.business_phone_id = t.business_phone_id AND m.message_type <> 'system' LIMIT 1
    ) last
    ORDER BY last.id DESC LIMIT 1
  ) l ON true
) ON true
ORDER BY page.active_at DESC, page.contact_id DESC, page.business_phone_id DESC;

-- listConversations: status, unassigned
-- GET /api/v1/conversations/, those of one status that are unassigned
WITH counted AS (
  SELECT coalesce(sum(n.amount), 0)::integer AS found FROM counter_amounts n
  WHERE n.account_id = $1 AND n.counter IN ('conversations.resolved') AND n.subject_id = '00000000-0000-0000-0000-000000000000'
), page AS MATERIALIZED (
  (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to IS NULL ORDER BY active_at DESC, contact_id DESC, business_phone_id DESC
   LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
   OFFSET (SELECT $3::bigint))
  UNION ALL
  (SELECT contact_id, business_phone_id, active_at FROM conversations t
     WHERE t.account_id = $1 AND t.status = 'resolved' AND t.assigned_to IS NULL ORDER BY active_at, contact_id, business_phone_id
   LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
   OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))
)
SELECT counted.found, t.contact_id, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at, t.waiting_since,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at,
       l.direction AS last_message_direction, l.status AS last_message_status, ARRAY[(extract(epoch FROM page.active_at) * 1000000)::bigint::text, page.contact_id::text, page.business_phone_id::text] AS position
FROM counted LEFT JOIN (
  page
  CROSS JOIN LATERAL (
    SELECT * FROM conversations r
    WHERE r.account_id = $1 AND r.contact_id = page.contact_id AND r.business_phone_id = page.business_phone_id
    OFFSET 0
  ) t
  CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = t.contact_id OFFSET 0) c
  LEFT JOIN LATERAL (
    SELECT * FROM conversation_assignments r
    WHERE r.account_id = $1 AND r.contact_id = t.contact_id AND r.business_phone_id = t.business_phone_id
      AND r.held_until IS NULL
    OFFSET 0
  ) h ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = t.assigned_to OFFSET 0) u ON true
  LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = h.previous_user_id OFFSET 0) p ON true
  LEFT JOIN LATERAL (
    SELECT last.direction, last.status
    FROM unnest(ARRAY(SELECT t.contact_id::uuid UNION ALL SELECT p.id FROM contacts p WHERE p.account_id = $1 AND p.merged_into = t.contact_id)) AS one (id)
    CROSS JOIN LATERAL (
      SELECT m.id, m.direction, m.status
      FROM (SELECT r.id, r.direction, r.status, r.business_phone_id, r.message_type FROM messages r
            WHERE r.account_id = $1 AND r.contact_id = one.id ORDER BY r.id DESC LIMIT 100) m
      WHERE m.business_phone_id = t.business_phone_id AND m.message_type <> 'system' LIMIT 1
    ) last
    ORDER BY last.id DESC LIMIT 1
  ) l ON true
) ON true
ORDER BY page.active_at DESC, page.contact_id DESC, page.business_phone_id DESC;

-- listMessages
-- GET /api/v1/conversations/{contact_phone}/messages
SELECT ARRAY(SELECT c.id::uuid UNION ALL SELECT p.id FROM contacts p WHERE p.account_id = $1 AND p.merged_into = c.id) AS ids FROM contacts c
WHERE c.account_id = $1 AND c.id = (SELECT coalesce(a.merged_into, a.id) FROM contacts a WHERE a.account_id = $1 AND number_key(a.phone_number) = number_key($2) AND NOT a.is_duplicate);

SELECT count(*)::integer AS found FROM (SELECT FROM messages m WHERE m.account_id = $1 AND (m.contact_id = $2) LIMIT 10001) counted;

WITH page AS MATERIALIZED (SELECT m.id FROM messages m WHERE m.account_id = $1 AND m.contact_id = $2  ORDER BY m.id DESC LIMIT $3 OFFSET $4), looked_until AS (SELECT NULL::uuid AS id)
SELECT m.id, m.direction, c.id AS contact_id, c.phone_number AS contact_phone, c.user_id AS contact_user_id,
     c.first_name, c.last_name, m.business_phone_id, m.message_type, CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.content ELSE '' END AS content, m.template_name,
     m.campaign_id, g.name AS campaign_name, m.status, m.seen, CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.network_message_id ELSE NULL END AS network_message_id,
     m.error_code, CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.error_message ELSE NULL END AS error_message, m.pricing, m.created_at,
     m.accepted_at, m.sent_at, m.delivered_at, m.read_at, m.clicked_at, m.failed_at, m.context_message_id,
     CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.payload ELSE NULL END AS payload, m.edited_at, m.revoked_at, o.id AS sent_to,
     coalesce(c.erased_at, o.erased_at) IS NOT NULL AS is_erased, m.agent_user_id, m.by_person, a.full_name AS agent_name,
     CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.reference ELSE NULL END AS reference, ARRAY[m.id::text] AS position, (SELECT id FROM looked_until) AS looked_until
FROM (SELECT) one
LEFT JOIN (page
CROSS JOIN LATERAL (SELECT * FROM messages r WHERE r.account_id = $1 AND r.id = page.id OFFSET 0) m
CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = m.contact_id OFFSET 0) o
CROSS JOIN LATERAL (
  SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = coalesce(o.merged_into, o.id) OFFSET 0
) c
LEFT JOIN LATERAL (SELECT name FROM campaigns r WHERE r.account_id = $1 AND r.id = m.campaign_id OFFSET 0) g ON true
LEFT JOIN LATERAL (SELECT full_name FROM users r WHERE r.id = m.agent_user_id OFFSET 0) a ON true) ON true
ORDER BY m.id DESC;

-- listMessages: waba_phone_id
-- GET /api/v1/conversations/{contact_phone}/messages with one business phone
SELECT ARRAY(SELECT c.id::uuid UNION ALL SELECT p.id FROM contacts p WHERE p.account_id = $1 AND p.merged_into = c.id) AS ids FROM contacts c
WHERE c.account_id = $1 AND c.id = (SELECT coalesce(a.merged_into, a.id) FROM contacts a WHERE a.account_id = $1 AND number_key(a.phone_number) = number_key($2) AND NOT a.is_duplicate);

SELECT count(*) FILTER (WHERE m.business_phone_id = $3)::integer AS found, count(*)::integer AS looked_at
FROM (SELECT m.direction, m.status, m.business_phone_id, m.message_type FROM messages m WHERE m.account_id = $1 AND m.contact_id = $2  ORDER BY m.id DESC LIMIT 20000) m;

WITH page AS MATERIALIZED (
  SELECT m.id FROM (SELECT m.id, m.direction, m.status, m.business_phone_id, m.message_type FROM messages m WHERE m.account_id = $1 AND m.contact_id = $2  ORDER BY m.id DESC LIMIT $6) m
  WHERE m.business_phone_id = $3 ORDER BY m.id DESC LIMIT $4 OFFSET $5
), looked_until AS (
  SELECT m.id FROM messages m WHERE m.account_id = $1 AND m.contact_id = $2  ORDER BY m.id DESC
  LIMIT (SELECT CASE WHEN false AND count(*) < $4 THEN 1 ELSE 0 END FROM page) OFFSET $6 - 1
)
  SELECT m.id, m.direction, c.id AS contact_id, c.phone_number AS contact_phone, c.user_id AS contact_user_id,
       c.first_name, c.last_name, m.business_phone_id, m.message_type, CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.content ELSE '' END AS content, m.template_name,
       m.campaign_id, g.name AS campaign_name, m.status, m.seen, CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.network_message_id ELSE NULL END AS network_message_id,
       m.error_code, CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.error_message ELSE NULL END AS error_message, m.pricing, m.created_at,
       m.accepted_at, m.sent_at, m.delivered_at, m.read_at, m.clicked_at, m.failed_at, m.context_message_id,
       CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.payload ELSE NULL END AS payload, m.edited_at, m.revoked_at, o.id AS sent_to,
       coalesce(c.erased_at, o.erased_at) IS NOT NULL AS is_erased, m.agent_user_id, m.by_person, a.full_name AS agent_name,
       CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.reference ELSE NULL END AS reference, ARRAY[m.id::text] AS position, (SELECT id FROM looked_until) AS looked_until
  FROM (SELECT) one
  LEFT JOIN (page
  CROSS JOIN LATERAL (SELECT * FROM messages r WHERE r.account_id = $1 AND r.id = page.id OFFSET 0) m
  CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = m.contact_id OFFSET 0) o
  CROSS JOIN LATERAL (
    SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = coalesce(o.merged_into, o.id) OFFSET 0
  ) c
  LEFT JOIN LATERAL (SELECT name FROM campaigns r WHERE r.account_id = $1 AND r.id = m.campaign_id OFFSET 0) g ON true
  LEFT JOIN LATERAL (SELECT full_name FROM users r WHERE r.id = m.agent_user_id OFFSET 0) a ON true) ON true
  ORDER BY m.id DESC;

-- Written by scripts/generate-queries-doc.mjs. Do not edit by hand.

-- findAssignment
-- GET /api/v1/conversations/{contact_phone}/assignment
SELECT t.business_phone_id, t.status, t.assigned_to, u.full_name AS assigned_to_name, t.assigned_at, c.phone_number,
       c.user_id
FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
LEFT JOIN users u ON u.id = t.assigned_to
WHERE c.account_id = $1 AND c.phone_number = $2 AND ($3::uuid IS NULL OR t.business_phone_id = $3)
ORDER BY t.active_at DESC, t.business_phone_id DESC
LIMIT 1;

-- lockConversation
-- POST /api/v1/conversations/{contact_phone}/assign, unassign, reopen and resolve
SELECT t.contact_id, t.business_phone_id, t.status, t.assigned_to, t.changed_at, c.phone_number, c.user_id
FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
WHERE c.account_id = $1 AND c.phone_number = $2 AND ($3::uuid IS NULL OR t.business_phone_id = $3)
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
SELECT counted.found, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at
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
SELECT counted.found, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at
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
SELECT counted.found, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at
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
SELECT counted.found, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at
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
SELECT counted.found, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at
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
SELECT counted.found, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at
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
SELECT counted.found, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
       u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
       p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at,
       CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at
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
) ON true
ORDER BY page.active_at DESC, page.contact_id DESC, page.business_phone_id DESC;

-- listMessages
-- GET /api/v1/conversations/{contact_phone}/messages
SELECT count(*) AS total FROM messages m WHERE m.account_id = $1 AND m.contact_id = (SELECT id FROM contacts WHERE account_id = $1 AND phone_number = $2);

WITH page AS MATERIALIZED (
    SELECT m.id FROM messages m
    WHERE m.account_id = $1 AND m.contact_id = (SELECT id FROM contacts WHERE account_id = $1 AND phone_number = $2)
    ORDER BY m.id DESC LIMIT $3 OFFSET $4
  )
  SELECT m.id, m.direction, m.contact_id, c.phone_number AS contact_phone, c.user_id AS contact_user_id,
       c.first_name, c.last_name, m.business_phone_id, m.message_type, CASE WHEN c.erased_at IS NULL THEN m.content ELSE '' END AS content, m.template_name,
       m.campaign_id, g.name AS campaign_name, m.status, m.seen, CASE WHEN c.erased_at IS NULL THEN m.network_message_id ELSE NULL END AS network_message_id,
       m.error_code, CASE WHEN c.erased_at IS NULL THEN m.error_message ELSE NULL END AS error_message, m.pricing, m.created_at,
       m.accepted_at, m.sent_at, m.delivered_at, m.read_at, m.clicked_at, m.failed_at FROM page JOIN messages m ON m.account_id = $1 AND m.id = page.id
JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id
  ORDER BY m.id DESC;

-- listMessages: waba_phone_id
-- GET /api/v1/conversations/{contact_phone}/messages with one business phone
SELECT count(*) AS total FROM messages m WHERE m.account_id = $1 AND m.contact_id = (SELECT id FROM contacts WHERE account_id = $1 AND phone_number = $2) AND m.business_phone_id = $3;

WITH page AS MATERIALIZED (
    SELECT m.id FROM messages m
    WHERE m.account_id = $1 AND m.contact_id = (SELECT id FROM contacts WHERE account_id = $1 AND phone_number = $2) AND m.business_phone_id = $3
    ORDER BY m.id DESC LIMIT $4 OFFSET $5
  )
  SELECT m.id, m.direction, m.contact_id, c.phone_number AS contact_phone, c.user_id AS contact_user_id,
       c.first_name, c.last_name, m.business_phone_id, m.message_type, CASE WHEN c.erased_at IS NULL THEN m.content ELSE '' END AS content, m.template_name,
       m.campaign_id, g.name AS campaign_name, m.status, m.seen, CASE WHEN c.erased_at IS NULL THEN m.network_message_id ELSE NULL END AS network_message_id,
       m.error_code, CASE WHEN c.erased_at IS NULL THEN m.error_message ELSE NULL END AS error_message, m.pricing, m.created_at,
       m.accepted_at, m.sent_at, m.delivered_at, m.read_at, m.clicked_at, m.failed_at FROM page JOIN messages m ON m.account_id = $1 AND m.id = page.id
JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id
  ORDER BY m.id DESC;

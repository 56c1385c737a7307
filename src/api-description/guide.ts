/** What /docs opens with. */
export const GUIDE = `Parley sends messages and campaigns over the WhatsApp Cloud API, receives what contacts write, and tells your
systems about both with webhooks.

The version of this description is that of the API, whose paths begin with \`/api/v1/\`. Releases of Parley have versions of
their own.

## Authentication

Send your API key with every request:

\`\`\`
Authorization: Bearer pk_live_…
\`\`\`

A key belongs to one account and sees only its records; another account’s record is a 404. Each operation below names the
scope that it needs. A key without it gets 403, and an unknown, expired or revoked key gets 401.

## Limits

Each key has a number of requests in any 60 seconds, over all routes together. \`RateLimit-Limit\`, \`RateLimit-Remaining\`
and \`RateLimit-Reset\` on every answer say how many are left. Beyond it you get 429: wait for the seconds in \`Retry-After\`.

A JSON body may have 1 MiB unless the operation says otherwise, and must be sent as \`application/json\`.

## Idempotency

Send an \`Idempotency-Key\` of your own with every POST, and repeat the request with the same key when the answer gets lost.
Nothing happens twice: within 24 hours the first answer is given again, with \`Idempotency-Replayed: true\`. The same key with
another body is a 422, and one whose request is still in progress a 409.

## Errors

Almost every error is \`{"error": "<code>", "message": "<text>"}\`. Decide by the status and the code; the message is for people
and names the field, the limit and the value. A few refusals of template creation (422) and of free-form sends (403) are
\`{"detail": "<text>"}\` instead; their operations say so.

A 503 is safe to repeat after \`Retry-After\` seconds. After a 504 of a send nobody knows whether the message went out: do not
send it again; \`X-Message-Id\` names it, and a status report or \`GET /api/v1/messages/{message_id}\` settles it.

Every answer has an \`X-Request-Id\`: your own, unless it may contain a phone number or user id, else a new one. Give it to
whoever operates Parley, and they will find the request.

## Pages

Lists take \`page\` (from 1) and \`limit\` (at most 100), and answer with \`total\`, \`page\` and \`limit\` beside their rows.
To read a whole list, take \`cursor\` instead of \`page\`: empty for the first page, then the \`next_cursor\` of each answer, until it
is null. What is created or deleted meanwhile moves nothing, and late pages cost no more than the first. A cursor belongs to one
list with the same filters. A page can have fewer rows than \`limit\` before the last one; only \`next_cursor\` tells. Logs count to
10,000: if more rows may match, \`total_is_capped\` is true.

## Webhooks

Register an endpoint with \`POST /api/v1/webhooks/\` and Parley posts events to it. The section **webhooks** of this description
has their bodies and headers. Deliveries are signed if the endpoint has a secret; they can arrive more than once and in any
order, so remember the \`webhook-id\`s that you have processed.
`;

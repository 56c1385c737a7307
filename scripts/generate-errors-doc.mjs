// Writes docs/errors.md from the error catalog and the network's error classes; `--check` only reports a difference.
// Run it after changing src/errors or src/network/network-codes.ts. It reads the compiled sources, so it builds first.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

const TARGET = 'docs/errors.md';

await ensureInstalled();
const dist = await build({ use: true, core: true });
const load = (file) => import(pathToFileURL(path.join(dist, file)).href);
const { ERROR_CATALOG, MESSAGE_ERRORS } = await load('src/errors/error-catalog.js');
const { NETWORK_CODES, NETWORK_RANGES } = await load('src/network/network-codes.js');
const { NETWORK_CODE_TEXTS } = await load('src/network/network-code-texts.js');

/** What Parley does about each class of the network's codes. */
const CONSEQUENCES = {
  retry: [
    'Try again later',
    'The network did not send the message. A campaign makes up to 5 attempts at a recipient, after 1 second, 10 seconds, 1 minute and 4 minutes; then the recipient fails with 900004. Attempts while the network fails everybody do not count. A single send retries for up to 5 seconds, then returns 503 `network_unavailable`.',
  ],
  stop_phone: [
    'Nothing can be sent from this phone',
    'A campaign stops: those whom the network refused and those not attempted yet stay pending, with their credits returned, until it is resumed. A single send fails and returns 400 `network_rejected`.',
  ],
  stop_template: [
    'Nothing can be sent with this template',
    'As above; after 132001, 132015 and 132016 Parley also no longer treats the template as `APPROVED`, until the network says that it is.',
  ],
  stop_category: ['Nothing can be sent of this category', 'As for the phone.'],
  request: [
    'The request is invalid',
    'The message fails and is not retried. When 20 recipients of a campaign in a row fail with one such code, the campaign stops, and `retry-failed` sends to them once the cause is mended. A report of 135000 says that the network has dropped the message while it paced the business: campaigns of the category stop, and `retry-failed` sends to its recipient again.',
  ],
  contact: [
    'The contact cannot receive the message',
    'The message fails and is not retried. 131050 also sets the contact’s `opted_in` to false. 131049 does not count for `max_failure_percent`, and `retry-failed` sends again to its recipient if `include` names `marketing_cap`: once, and not before 24 hours have passed.',
  ],
};

/** What stops a campaign besides the network's errors; keep in step with src/campaigns/planning/campaign-stop.ts. */
const STOPS = [
  ['The account is suspended', 'Have it reactivated, then resume.'],
  ['The business phone was removed, or belongs to another account', 'Add it again and resume, or use another phone.'],
  ['The network does not allow the business to send', 'Resume once that is lifted.'],
  [
    'The access token of the phone, or a one-time code of the campaign, cannot be decrypted',
    'Start the service with the encryption key that the reason names in `ENCRYPTION_KEY`, then resume. Until then requests that need the token return 503 `unavailable`.',
  ],
  ['The template is deleted or not approved', 'Resume once it can be sent, or use another template.'],
  [
    'The template no longer fits the values of the campaign, or its stored form is invalid',
    'Synchronise the templates and create the campaign again.',
  ],
  [
    'A file that all recipients get cannot be fetched at the start, or is not one that the network takes',
    'Resume once it is.',
  ],
  [
    'The service was away at the scheduled time, and came back more than 6 hours later',
    'Resume to send it now, or create another campaign.',
  ],
  [
    'The network has taken no message from the phone for 24 hours',
    'Resume once it does. Until then the phone tries again by itself.',
  ],
  [
    '20 recipients in a row failed with the same code of the network',
    'Mend the cause, resume for those who are left, and retry those who failed.',
  ],
  ['A file that was uploaded is gone, or the network refuses it', 'Upload it again, and create the campaign anew.'],
  ['The wallet has too few credits when a scheduled campaign is due', 'Add credits, then resume.'],
  [
    'The template of a campaign with one-time codes is no longer an AUTHENTICATION template',
    'Create a campaign with another one.',
  ],
  ['The limited-time offer is over before the start', 'Create another campaign with a new offer.'],
  [
    'Every attempt has failed for 30 seconds because of a fault in the service',
    'Give the operator the reference in the reason to find the cause in the log; resume once it is fixed.',
  ],
];

const content = document();
const file = path.join(root, TARGET);
if (!process.argv.includes('--check')) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
} else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== content) {
  console.log(`${TARGET} is out of date: run node scripts/generate-errors-doc.mjs`);
  process.exitCode = 1;
}

function document() {
  return `<!-- Written by scripts/generate-errors-doc.mjs from src/errors and src/network. Do not edit by hand. -->
# Errors

Every response carries \`X-Request-Id\`. Search the logs for it to find the request.
\`X-Ignored-Fields\` names up to 20 fields of the body and query that the route does not read, separated by commas: a
misspelled optional field is ignored, and shows up there. Nested fields are named by their path, those of lists once
(\`send_window.days\`, \`buttons[0].icon\`, \`contacts[].foo\`); names are percent-encoded, a dot within one as \`%2E\`.

An optional field of a POST that is \`""\` or blank counts as left out, at any depth. So does \`[]\` for an object or a
list, and an object in which nothing was filled in, such as \`{}\` or one whose fields are all blank. It is a 400 where a body would
allow more without the field, such as \`scopes\` or \`send_window\`. Where no field is required, \`[]\`, \`null\`, \`""\` and white space count
as no body.

In a PATCH, nothing counts as left out. \`""\` empties a text that may be empty, such as \`company\`, and is a 400 for every
other field. \`[]\` empties \`tags\`, and \`{}\` the \`headers\` of a webhook.

## Bodies

Most errors are \`{"error": "<code>", "message": "<text>"}\`. The message names the field, the limit and the value.
Two kinds of errors are \`{"detail": "<text>"}\` instead: every 422 of template creation, and the 403s of free-form sends about the
service window or the business phone.

## Codes of responses

${table(
  ['Code', 'Status', 'When'],
  Object.entries(ERROR_CATALOG).map(([code, { status, when }]) => [`\`${code}\``, status, when]),
)}

\`rate_limited\`, \`unavailable\`, and \`network_unavailable\` if a retry may help, carry \`Retry-After\` in seconds. A send that was stored
but not accepted returns the id of its message in \`X-Message-Id\`: \`network_rejected\`, \`network_unavailable\`, \`network_timeout\`.

## Numbers on failed messages

A failed message or recipient has an \`error_code\` and an \`error_message\`; so does its \`message.failed\` webhook.
\`GET /api/v1/campaigns/{campaign_id}/failures\` counts a campaign’s failed recipients by code, with the texts below.

### Parley’s own

${table(
  ['error_code', 'error_message', 'What to do'],
  Object.values(MESSAGE_ERRORS).map(({ code, message, advice }) => [code, message, advice]),
)}

### The network’s

Parley looks at the code, not at the HTTP status, and appends the network’s own message to the text below. A code without
a text here is passed on with the network’s message only.

An error that the network marks as \`is_transient\` is tried again later, whatever its code.

${Object.entries(CONSEQUENCES).map(section).join('\n\n')}

#### Any other code

The message fails. \`POST /api/v1/campaigns/{campaign_id}/retry-failed\` sends to its recipient again.

## Campaigns that stop

A campaign that cannot continue becomes \`failed\`, mostly within 30 seconds. Its \`failure_reason\` says what is wrong, then what to
do. Sent messages stay sent; everybody else stays pending, and their credits are returned: \`POST /api/v1/campaigns/{campaign_id}/resume\`
sends to them.

${table(['What is wrong', 'What to do'], STOPS)}
`;
}

function section([kind, [title, consequence]]) {
  const ranges = NETWORK_RANGES.filter(([, , of]) => of === kind);
  const rows = [
    ...NETWORK_CODES[kind].map((code) => [code, ...textsOf(code)]),
    ...ranges.map(([from, to]) => [from === to ? from : `${from} to ${to}`, '', '']),
  ];
  if (kind === 'stop_phone') rows.push(['100, subcode 33', ...textsOf(33)]);
  return `#### ${title}\n\n${consequence}\n\n${table(['error_code', 'Meaning', 'What to do'], rows)}`;
}

/** Our explanation of a code and our advice; empty if Parley only passes on the network's text. */
function textsOf(code) {
  const { meaning = '', advice = '' } = NETWORK_CODE_TEXTS[code] ?? {};
  return [meaning, advice];
}

function table(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(heads),
    line(heads.map(() => '---')),
    ...rows.map((row) => line(row.map((cell) => String(cell).replaceAll('|', '\\|')))),
  ].join('\n');
}

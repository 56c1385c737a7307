import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { now } from '../../src/values/clock.js';
import { newRecordId } from '../../src/values/record-id.js';
import { deliveryHeaders, type SigningSecrets } from '../../src/webhooks/delivery/webhook-signature.js';
import { newSigningSecret } from '../../src/webhooks/endpoints/endpoint-secrets.js';
import { isInstalled, outputOf } from '../support/commands.js';
import { Document } from './document.js';

/** How to run the code of a language: it reads deliveries on stdin and prints the verdicts of both functions. */
interface Language {
  readonly name: string;
  readonly fence: string;
  readonly version: readonly [command: string, ...args: string[]];
  readonly build?: readonly [command: string, ...args: string[]];
  readonly run: readonly [command: string, ...args: string[]];
  /** File name for the code of the page; `around` holds the other files. */
  readonly file: string;
  readonly around: Readonly<Record<string, string>>;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'Node',
    fence: 'js',
    version: [process.execPath, '--version'],
    run: [process.execPath, 'main.mjs'],
    file: 'webhook.mjs',
    around: {
      'main.mjs': `
        import { readFileSync } from 'node:fs';
        import { isGenuine, isGenuineByBody } from './webhook.mjs';
        console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(({ body, headers, secret }) => {
          const bytes = Buffer.from(body, 'base64');
          return [isGenuine(bytes, headers, secret), isGenuineByBody(bytes, headers, secret)];
        })));`,
    },
  },
  {
    name: 'Python',
    fence: 'python',
    version: ['python3', '--version'],
    run: ['python3', 'main.py'],
    file: 'webhook.py',
    around: {
      'main.py': [
        'import base64, json, sys',
        'from webhook import is_genuine, is_genuine_by_body',
        'def judge(case):',
        '    given = base64.b64decode(case["body"]), case["headers"], case["secret"]',
        '    return [is_genuine(*given), is_genuine_by_body(*given)]',
        'print(json.dumps([judge(case) for case in json.load(sys.stdin)]))',
      ].join('\n'),
    },
  },
  {
    name: 'PHP',
    fence: 'php',
    version: ['php', '--version'],
    run: ['php', 'main.php'],
    file: 'webhook.php',
    around: {
      'main.php': `<?php
        require 'webhook.php';
        echo json_encode(array_map(function ($case) {
          $given = [base64_decode($case['body']), $case['headers'], $case['secret']];
          return [isGenuine(...$given), isGenuineByBody(...$given)];
        }, json_decode(file_get_contents('php://stdin'), true)));`,
    },
  },
  {
    name: 'Go',
    fence: 'go',
    version: ['go', 'version'],
    build: ['go', 'build', '-o', 'main', '.'],
    run: ['./main'],
    file: 'webhook/webhook.go',
    around: {
      'go.mod': 'module example.com/receiver\n\ngo 1.19\n',
      'main.go': `package main

        import (
          "encoding/json"
          "net/http"
          "os"

          "example.com/receiver/webhook"
        )

        func main() {
          var cases []struct {
            Body    []byte
            Headers map[string]string
            Secret  string
          }
          if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
            panic(err)
          }
          verdicts := [][2]bool{}
          for _, each := range cases {
            header := http.Header{}
            for name, value := range each.Headers {
              header.Set(name, value)
            }
            verdicts = append(verdicts, [2]bool{
              webhook.IsGenuine(each.Body, header, each.Secret),
              webhook.IsGenuineByBody(each.Body, header, each.Secret),
            })
          }
          if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
            panic(err)
          }
        }`,
    },
  },
];

/** A delivery with the expected verdicts by `webhook-signature` and by `X-Webhook-Signature`. */
interface Case {
  readonly name: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly verdict: readonly [boolean, boolean];
}

const BODY = Buffer.from('{"event":"message.received","message":{"content":"Grüße 👋 \\"quoted\\""}}');

function casesAt(at: Date): Case[] {
  const signed = (secrets: SigningSecrets, sentAt = at) => deliveryHeaders(newRecordId(), sentAt, BODY, secrets);
  const [made, other] = [newSigningSecret(), newSigningSecret()];
  const genuine = signed({ current: made, replaced: [] });
  const minutesAway = (minutes: number) => new Date(at.getTime() + minutes * 60_000);
  const without = (name: string) => Object.fromEntries(Object.entries(genuine).filter(([each]) => each !== name));
  const of = (name: string, verdict: Case['verdict'], change: Partial<Case> = {}): Case => ({
    ...{ name, verdict, body: BODY, headers: genuine, secret: made },
    ...change,
  });
  return [
    of('as Parley sends it', [true, true]),
    of('with a secret of any other form', [true, true], {
      headers: signed({ current: 'pässword', replaced: [] }),
      secret: 'pässword',
    }),
    of('during a rotation, to who knows the new secret', [true, true], {
      headers: signed({ current: made, replaced: [other] }),
    }),
    of('during a rotation, to who knows the old secret', [true, false], {
      headers: signed({ current: other, replaced: [made] }),
    }),
    of('with another body', [false, false], { body: Buffer.concat([BODY, Buffer.from(' ')]) }),
    of('under another id', [false, true], { headers: { ...genuine, 'webhook-id': newRecordId() } }),
    of('of another time', [false, true], {
      headers: { ...genuine, 'webhook-timestamp': `${Number(genuine['webhook-timestamp']) + 1}` },
    }),
    of('with another secret', [false, false], { secret: other }),
    of('recorded six minutes ago', [false, true], {
      headers: signed({ current: made, replaced: [] }, minutesAway(-6)),
    }),
    of('from six minutes ahead', [false, true], { headers: signed({ current: made, replaced: [] }, minutesAway(6)) }),
    of('without webhook-signature', [false, true], { headers: without('webhook-signature') }),
    of('without X-Webhook-Signature', [true, false], { headers: without('x-webhook-signature') }),
    of('without webhook-timestamp', [false, true], { headers: without('webhook-timestamp') }),
    of('with a time of 5,000 digits', [false, true], {
      headers: { ...genuine, 'webhook-timestamp': '9'.repeat(5000) },
    }),
    of('with a malformed time', [false, true], { headers: { ...genuine, 'webhook-timestamp': 'today' } }),
    of('without any header', [false, false], { headers: { 'content-type': 'application/json' } }),
  ];
}

const installed = LANGUAGES.filter(({ version: [command, ...args] }) => isInstalled(command, args));
const namesOf = (languages: readonly Language[]) => languages.map(({ name }) => name).join(', ') || 'none';
const missing = LANGUAGES.filter((language) => !installed.includes(language));

describe(`the code of docs/webhooks.md (run here: ${namesOf(installed)}; not installed: ${namesOf(missing)})`, () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'parley-snippet-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it.each(LANGUAGES)('has two blocks for $name: how to verify, and a receiver', ({ fence }) => {
    expect(new Document('webhooks.md').blocks(fence)).toHaveLength(2);
  });

  it.each(installed)('accepts exactly what Parley has signed, in $name', (language) => {
    const [code = ''] = new Document('webhooks.md').blocks(language.fence);
    for (const [file, content] of Object.entries({ ...language.around, [language.file]: code })) {
      mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
      writeFileSync(path.join(directory, file), content);
    }
    if (language.build) outputOf(language.build[0], language.build.slice(1), { cwd: directory });
    const cases = casesAt(now());
    const [command, ...args] = language.run;
    const input = JSON.stringify(cases.map(({ body, ...rest }) => ({ ...rest, body: body.toString('base64') })));
    const output = outputOf(command, args, { cwd: directory, input });
    const verdicts = JSON.parse(output) as unknown[];
    expect(cases.map(({ name }, index) => [name, verdicts[index]])).toEqual(
      cases.map(({ name, verdict }) => [name, [...verdict]]),
    );
  });
});

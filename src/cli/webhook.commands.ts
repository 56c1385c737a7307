import type { Command } from 'commander';
import type { RecordId } from '../values/record-id.js';
import { WebhookRecord } from '../webhooks/endpoint-record.js';
import { findAccountOfEndpoint, findEndpoint, findEndpoints } from '../webhooks/endpoints/endpoint.queries.js';
import { SECRET } from '../webhooks/endpoints/endpoint-rules.js';
import { newSigningSecret } from '../webhooks/endpoints/endpoint-secrets.js';
import { endpointNotFound } from '../webhooks/webhooks.errors.js';
import { withApiOptions } from './api-access.js';
import { eventNames, httpUrl, recordId, textUpTo, wholeNumber } from './argument-values.js';
import { type CommandRunner, MAX_LISTED, type Output } from './command-runner.js';
import { WebhookListener } from './webhook-listener.js';
import { WebhookPrinter } from './webhook-printer.js';

interface ListenFlags {
  readonly forward?: string;
  readonly events?: readonly string[];
  readonly secret?: string;
  readonly port?: number;
  readonly publicUrl?: string;
}

/** `webhooks list|show|listen`. */
export function addWebhookCommands(cli: Command, runner: CommandRunner, output: Output): void {
  const webhooks = cli.command('webhooks').description('Webhooks');
  webhooks
    .command('list')
    .description('List the webhooks of an account, newest first')
    .requiredOption('--account <id>', 'the account', recordId)
    .action(({ account }: { account: RecordId }, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.accounts.requireExisting(account);
        const page = { page: 1, limit: MAX_LISTED };
        const { rows } = await findEndpoints(account, page, operator.unitOfWork.autocommit);
        return {
          webhooks: rows.map((row) => ({
            id: row.id,
            url: row.url,
            status: row.status,
            disabled_reason: row.disabledReason,
            subscribed_events: row.subscribedEvents.join(','),
            created_at: row.createdAt.toISOString(),
          })),
        };
      }),
    );
  webhooks
    .command('show')
    .description('Show a webhook without its secrets')
    .argument('<id>', 'webhook', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const db = operator.unitOfWork.autocommit;
        const accountId = await findAccountOfEndpoint(id, db);
        const endpoint = accountId === null ? null : await findEndpoint(accountId, id, db);
        if (endpoint === null) throw endpointNotFound(id);
        const { is_duplicate = false, header_names = [], ...record } = WebhookRecord.from(endpoint);
        const { failedDeliveries, failingSince } = endpoint;
        return {
          ...record,
          is_duplicate,
          header_names,
          failed_deliveries: failedDeliveries,
          failing_since: failingSince?.toISOString() ?? null,
          account_id: accountId,
        };
      }),
    );
  withApiOptions(webhooks.command('listen'))
    .description(
      'Receive webhooks of the API key’s account here, and verify and print them until Ctrl-C. Registers an endpoint and removes it at the end. ' +
        'With --json, prints one line per webhook',
    )
    .option('--forward <url>', 'forward each webhook unchanged to this URL, and return its answer', httpUrl)
    .option(
      '--events <events>',
      'events to receive, such as message.sent,message.failed (default: the eleven of messages, buttons and conversations; * for every event)',
      eventNames,
    )
    .option('--secret <secret>', 'sign with this secret (default: a new one)', textUpTo(SECRET.max))
    .option('--port <n>', 'listen on this port of 127.0.0.1 (default: any free one)', wholeNumber(0, 65_535))
    .option(
      '--public-url <url>',
      'URL at which Parley reaches the port, such as a tunnel (default: this machine)',
      httpUrl,
    )
    .action((flags: ListenFlags, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: true }>();
      return runner.runOverHttp(command, async ({ api }) => {
        const listener = new WebhookListener(api, new WebhookPrinter(output, json === true), {
          secret: flags.secret ?? newSigningSecret(),
          events: flags.events ?? null,
          forward: flags.forward ?? null,
          port: flags.port ?? 0,
          publicUrl: flags.publicUrl ?? null,
        });
        await untilInterrupted((signal) => listener.listen(signal));
        return null;
      });
    });
}

/** Runs `work` until the process is interrupted. A second signal ends the process immediately. */
async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  for (const name of INTERRUPTIONS) process.once(name, interrupt);
  try {
    await work(controller.signal);
  } finally {
    for (const name of INTERRUPTIONS) process.off(name, interrupt);
  }
}

const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

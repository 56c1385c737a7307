import type { Command } from 'commander';
import type { EventKind } from '../outbox/event.js';
import { SECRET } from '../webhooks/endpoints/endpoint-rules.js';
import { newSigningSecret } from '../webhooks/endpoints/endpoint-secrets.js';
import { withApiOptions } from './api-access.js';
import { eventKinds, httpUrl, text, wholeNumber } from './argument-values.js';
import type { CommandRunner, Output } from './command-runner.js';
import { WebhookListener } from './webhook-listener.js';
import { WebhookPrinter } from './webhook-printer.js';

interface ListenFlags {
  readonly forward?: string;
  readonly events?: readonly EventKind[];
  readonly secret?: string;
  readonly port?: number;
  readonly publicUrl?: string;
}

/** `webhooks listen`. */
export function addWebhookCommands(cli: Command, runner: CommandRunner, output: Output): void {
  const webhooks = cli.command('webhooks').description('Webhooks of the account that the API key belongs to');
  withApiOptions(webhooks.command('listen'))
    .description(
      'Receive webhooks here, and verify and print them until Ctrl-C. Registers an endpoint and removes it at the end. ' +
        'With --json, prints one line per webhook',
    )
    .option('--forward <url>', 'forward each webhook unchanged to this URL, and return its answer', httpUrl)
    .option('--events <events>', 'events to receive, such as message.sent,message.failed (default: all)', eventKinds)
    .option('--secret <secret>', 'sign with this secret (default: a new one)', text(SECRET.max))
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

import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { noSuchApp } from '../accounts/account.errors.js';
import { callbackUrlOf } from '../connect/phone-connection.service.js';
import { networkId, textOfFile, textUpTo } from './argument-values.js';
import type { CommandRunner } from './command-runner.js';
import type { Operator } from './operator.js';
import type { Input } from './secret-options.js';

interface AddOptions {
  readonly secret?: string;
  readonly secretFile?: string;
  readonly secretStdin?: true;
  readonly verifyToken?: string;
}

const MAX_SECRET = 256;

/** `apps add|list|show|remove`. */
export function addAppCommands(cli: Command, runner: CommandRunner, input: Input): void {
  const apps = cli.command('apps').description('Apps at Meta besides the one of NETWORK_APP_ID');
  apps
    .command('add')
    .description('Add an app; prints what to enter on its page WhatsApp, Configuration')
    .argument('<id>', 'App ID', networkId)
    .option('--secret <secret>', 'App secret; stored encrypted', textUpTo(MAX_SECRET))
    .option(
      '--secret-file <file>',
      'file with the secret; unlike --secret, other users cannot see it',
      textOfFile(MAX_SECRET),
    )
    .option('--secret-stdin', 'read the secret from standard input')
    .option('--verify-token <token>', 'any string (default: a new one)', textUpTo(MAX_SECRET))
    .action(async (appId: string, options: AddOptions, command: Command) => {
      const { secret, secretFile, secretStdin } = options;
      const appSecret = secretStdin ? (await input()).trim() : (secret ?? secretFile);
      if (!appSecret) command.error('error: give the secret with --secret, --secret-file or --secret-stdin');
      return runner.run(command, async (operator) => {
        const verifyToken = options.verifyToken ?? randomBytes(16).toString('hex');
        await operator.apps.add({ appId, appSecret: String(appSecret), verifyToken });
        return {
          app_id: appId,
          callback_url: callbackUrlOf(operator.publicUrl, { storedId: appId }) ?? `…/network/callbacks/${appId}`,
          verify_token: verifyToken,
        };
      });
    });
  apps
    .command('list')
    .description('List the apps; the first is the one in the environment')
    .action((_: unknown, command: Command) =>
      runner.run(command, async (operator) => ({ apps: await appsOf(operator) })),
    );
  apps
    .command('show')
    .description('Show an app without its secrets, and the phones that are connected with it')
    .argument('<id>', 'App ID', networkId)
    .action((appId: string, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const app = (await appsOf(operator)).find((each) => each.app_id === appId);
        if (app === undefined) throw noSuchApp(appId);
        const storedId = app.added_at === null ? null : appId;
        const connected = (await operator.accounts.phonesOfAll()).filter((phone) => phone.appId === storedId);
        return {
          ...app,
          business_phones: connected.map(({ id, accountId, phone }) => ({
            waba_phone_id: id,
            account_id: accountId,
            phone_number: phone,
          })),
        };
      }),
    );
  apps
    .command('remove')
    .description('Remove an app that no phone is connected with')
    .argument('<id>', 'App ID', networkId)
    .action((appId: string, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.apps.remove(appId);
        return { app_id: appId, status: 'removed' };
      }),
    );
}

interface ListedApp {
  readonly app_id: string;
  /** Null while `PUBLIC_URL` is not set. */
  readonly callback_url: string | null;
  /** Null for the app in the environment. */
  readonly added_at: string | null;
}

/** The app in the environment, and then the others. */
async function appsOf({ apps, publicUrl }: Operator): Promise<ListedApp[]> {
  const urlOf = (storedId: string | null) => callbackUrlOf(publicUrl, { storedId });
  return [
    { app_id: apps.default.appId, callback_url: urlOf(null), added_at: null },
    ...(await apps.list()).map(({ appId, createdAt }) => ({
      app_id: appId,
      callback_url: urlOf(appId),
      added_at: createdAt.toISOString(),
    })),
  ];
}

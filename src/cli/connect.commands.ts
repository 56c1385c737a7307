import type { Command } from 'commander';
import { type Check, isConnected } from '../connect/check.js';
import { PhoneRemovalService } from '../connect/phone-removal.service.js';
import { UnreadableSecret } from '../database/secrets/secret-box.js';
import { DomainError } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';
import { networkId, pin, recordId, textUpTo } from './argument-values.js';
import { CommandFailure } from './command-failure.js';
import type { CommandRunner, Output } from './command-runner.js';
import type { MetaSide, Operator } from './operator.js';
import { addTokenOptions, type Input, type TokenOptions, tokenOf } from './secret-options.js';

interface ConnectOptions extends TokenOptions {
  readonly account: RecordId;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly code?: string;
  readonly app?: string;
  readonly pin?: string;
}

const MAX_CODE = 4096;

/** `phones connect|check|remove`. */
export function addConnectCommands(phones: Command, runner: CommandRunner, output: Output, input: Input): void {
  addTokenOptions(
    phones
      .command('connect')
      .description('Connect a business phone at Meta: checks, registers, subscribes, and stores it if nothing fails')
      .requiredOption('--account <id>', 'account of the phone', recordId)
      .requiredOption('--phone-number-id <id>', 'Meta’s id of the phone', networkId)
      .requiredOption('--waba-id <id>', 'Meta’s id of its business account', networkId),
  )
    .option('--code <code>', 'code of Embedded Signup instead of a token', textUpTo(MAX_CODE))
    .option('--app <id>', 'the app whose token it is (default: NETWORK_APP_ID)', networkId)
    .option('--pin <pin>', 'register the number with this PIN of six digits', pin)
    .action(async (options: ConnectOptions, command: Command) => {
      const { account, phoneNumberId, wabaId, code, app, pin: given } = options;
      const token = await tokenOf(options, input, command);
      if ((token === undefined) === (code === undefined)) command.error('error: give a token or --code');
      const credential = token === undefined ? { code: String(code) } : { token };
      return runner.run(command, async (operator) => {
        await operator.accounts.phonesOf(account);
        const phone = { phoneNumberId, wabaId, credential, appId: app ?? null, pin: given ?? null };
        const { checks, phoneId } = await operator.atMeta(({ connection }) => connection.connect(account, phone));
        showChecks(command, output, [{ waba_phone_id: phoneId, checks }]);
        return null;
      });
    });
  phones
    .command('check')
    .description(
      'Check a business phone, or several: what fails, how that was found out, and where to mend it. Exit code 1 if a ' +
        'check fails; warnings and what is unknown do not count',
    )
    .argument('[id]', 'the waba_phone_id (default: all)', recordId)
    .option('--account <id>', 'all phones of this account', recordId)
    .action((id: RecordId | undefined, { account }: { account?: RecordId }, command: Command) => {
      if (id !== undefined && account !== undefined) command.error('error: give a phone or --account, not both');
      return runner.run(command, async (operator) => {
        const named = id === undefined ? await phonesOf(operator, account) : [await namedPhone(operator, id)];
        showChecks(command, output, await operator.atMeta((meta) => lookAtAll(named, meta, id !== undefined)));
        return null;
      });
    });
  phones
    .command('remove')
    .description('Remove a business phone that no running or scheduled campaign uses; its history stays')
    .argument('<id>', 'the waba_phone_id', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const accountId = await operator.phones.accountOf(id);
        await new PhoneRemovalService(operator.unitOfWork, operator.phones).remove(accountId, id);
        return { waba_phone_id: id, status: 'removed' };
      }),
    );
}

interface NamedPhone {
  readonly accountId: RecordId;
  readonly id: RecordId;
}

const namedPhone = async ({ phones }: Operator, id: RecordId): Promise<NamedPhone> => ({
  accountId: await phones.accountOf(id),
  id,
});

/** The phones of an account, or of all. */
const phonesOf = ({ accounts }: Operator, account: RecordId | undefined): Promise<readonly NamedPhone[]> =>
  account === undefined ? accounts.phonesOfAll() : accounts.phonesOf(account);

/** Checks phones. What keeps one of several from being checked is told like a failed check. */
async function lookAtAll(phones: readonly NamedPhone[], { health }: MetaSide, isOne: boolean): Promise<Checked[]> {
  const looked: Checked[] = [];
  for (const { accountId, id } of phones) {
    try {
      looked.push({ waba_phone_id: id, checks: await health.look(accountId, id) });
    } catch (error) {
      if (isOne || !(error instanceof DomainError || error instanceof UnreadableSecret)) throw error;
      looked.push({ waba_phone_id: id, checks: [], error: error.message });
    }
  }
  return looked;
}

interface Checked {
  readonly waba_phone_id: string | null;
  readonly checks: readonly Check[];
  /** Why it could not be checked; absent if it was. */
  readonly error?: string;
}

/**
 * Prints the checks of phones.
 *
 * @param unstored what is said of a phone that was not stored
 * @throws CommandFailure when a check has failed, so that scripts notice
 */
export function showChecks(
  command: Command,
  output: Output,
  phones: readonly Checked[],
  unstored = 'not connected',
): void {
  const { json } = command.optsWithGlobals<{ json?: true }>();
  if (json) output.out(`${JSON.stringify({ phones })}\n`);
  else output.out(phones.map((phone) => printed(phone, unstored)).join('\n') || 'no business phone is connected\n');
  const failed = phones.filter(({ checks, error }) => error !== undefined || !isConnected(checks)).length;
  if (failed > 0) throw new CommandFailure(failed === 1 ? 'a check has failed' : `${failed} phones have failed checks`);
}

const printed = ({ waba_phone_id, checks, error }: Checked, unstored: string): string =>
  [
    `${waba_phone_id === null ? unstored : `waba_phone_id ${waba_phone_id}`}\n`,
    ...(error === undefined ? [] : [`failed   ${error}\n`]),
    ...checks.map(lineOf),
  ].join('');

const lineOf = ({ check, result, found, problem, advice }: Check): string =>
  [
    `${result.padEnd(8)} ${check.padEnd(17)} ${found}`,
    ...(problem === null ? [] : [`         ${problem}`]),
    ...(advice === null ? [] : [`         → ${advice}`]),
    '',
  ].join('\n');

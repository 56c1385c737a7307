import { type Command, InvalidArgumentError, Option } from 'commander';
import { LINE_END, lineOfFile, textOfFile, textUpTo } from './argument-values.js';

/** Reads standard input to its end. */
export type Input = () => Promise<string>;

/** The options of {@link addTokenOptions}: at most one is set. */
export interface TokenOptions {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly tokenStdin?: true;
}

const MAX_TOKEN = 4096;
const parseToken = textUpTo(MAX_TOKEN);

/** The options of {@link addPasswordOptions}: exactly one is set. */
export interface PasswordOptions {
  readonly passwordFile?: string;
  readonly stdin?: true;
}

/** Accepts a password from a file or from stdin, never as an argument, which other users of the machine see. */
export function addPasswordOptions(command: Command): Command {
  return command
    .addOption(new Option('--password-file <file>', 'file with the password').argParser(lineOfFile).conflicts('stdin'))
    .option('--stdin', 'read the password from standard input');
}

/** The given password, without the line end behind it. */
export async function passwordOf(options: PasswordOptions, input: Input, command: Command): Promise<string> {
  if (options.passwordFile !== undefined) return options.passwordFile;
  if (options.stdin === true) return (await input()).replace(LINE_END, '');
  return command.error('error: give the password with --password-file or --stdin');
}

/** Accepts an access token as an argument (visible to other users of the machine), from a file, or from stdin. */
export function addTokenOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--token <token>', 'access token for the network; stored encrypted')
        .argParser(parseToken)
        .conflicts(['tokenFile', 'tokenStdin']),
    )
    .addOption(
      new Option('--token-file <file>', 'file with the token; unlike --token, other users cannot see it')
        .argParser(textOfFile(MAX_TOKEN))
        .conflicts('tokenStdin'),
    )
    .option('--token-stdin', 'read the token from standard input');
}

/** The given token, if any. A blank one on standard input is a wrong argument. */
export async function tokenOf(options: TokenOptions, input: Input, command: Command): Promise<string | undefined> {
  if (options.tokenStdin !== true) return options.token ?? options.tokenFile;
  try {
    return parseToken((await input()).trim());
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(`error: option '--token-stdin' is invalid. ${error.message}`);
  }
}

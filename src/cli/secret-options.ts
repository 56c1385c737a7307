import { type Command, InvalidArgumentError, Option } from 'commander';
import { text, textOfFile } from './argument-values.js';

/** Reads what is piped into a command, to its end. */
export type Input = () => Promise<string>;

/** What was given of {@link addTokenOptions}: one of the three, or nothing. */
export interface TokenOptions {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly tokenStdin?: true;
}

const MAX_TOKEN = 4096;
const parseToken = text(MAX_TOKEN);

/** Takes an access token as an argument, which others on the machine can see, from a file, or from standard input. */
export function addTokenOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--token <token>', 'access token for the network; stored encrypted')
        .argParser(parseToken)
        .conflicts(['tokenFile', 'tokenStdin']),
    )
    .addOption(
      new Option('--token-file <file>', 'a file that holds the token, seen by nobody else')
        .argParser(textOfFile(MAX_TOKEN))
        .conflicts('tokenStdin'),
    )
    .option('--token-stdin', 'read the token from standard input');
}

/** The token that a command was given, if any. A blank one on standard input is a wrong argument. */
export async function tokenOf(options: TokenOptions, input: Input, command: Command): Promise<string | undefined> {
  if (options.tokenStdin !== true) return options.token ?? options.tokenFile;
  try {
    return parseToken((await input()).trim());
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(`error: option '--token-stdin' is invalid. ${error.message}`);
  }
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import { textOfFile, textUpTo } from './argument-values.js';

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

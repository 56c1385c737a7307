import path from 'node:path';
import type { Command } from 'commander';
import { readPrivateJson } from '../../sandbox/private-file.js';
import { type SandboxFile, sandboxFilePath } from '../../sandbox/sandbox-file.js';
import { parseUrl } from '../config/environment-values.js';
import { ConfigError, readVariable, type Source } from '../config/variables.js';
import { httpUrl, text } from './argument-values.js';
import { JsonApi } from './json-api.js';

/** What a command line says about where to go. */
export interface ApiOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly simulatorUrl?: string;
}

/** How a command reaches Parley as a customer does. */
export interface ApiAccess {
  readonly api: JsonApi;
  /**
   * The simulated network.
   *
   * @throws ConfigError when nobody has said where it is
   */
  simulator(): JsonApi;
}

/** Adds the options that say where Parley is. */
export const withApiOptions = (command: Command): Command =>
  command
    .option('--base-url <url>', 'where Parley is (default: PARLEY_BASE_URL, or the sandbox of DATA_DIR)', httpUrl)
    .option('--api-key <key>', 'the API key (default: PARLEY_API_KEY, or that of the sandbox)', text(256));

/** Adds the option that says where the simulated network is. */
export const withSimulatorOption = (command: Command): Command =>
  command.option(
    '--simulator-url <url>',
    'where the simulated network is (default: PARLEY_SIMULATOR_URL, or that of the sandbox)',
    httpUrl,
  );

/**
 * Where the commands that any customer could run go: options count before variables, and those before the sandbox.
 *
 * @throws ConfigError with one line that names the variable
 */
export function readApiAccess(source: Source, options: ApiOptions): ApiAccess {
  const dataDir = path.resolve(readVariable(source, 'DATA_DIR') ?? '.parley');
  const sandbox = readPrivateJson<SandboxFile>(sandboxFilePath(dataDir));
  const baseUrl = urlOf('PARLEY_BASE_URL', options.baseUrl ?? source['PARLEY_BASE_URL']) ?? sandbox?.base_url;
  if (baseUrl === undefined) {
    throw new ConfigError(`PARLEY_BASE_URL (or --base-url) is required: no sandbox has been started in ${dataDir}`);
  }
  // A sandbox's key is for the sandbox: nobody else gets to see it.
  const isSandbox = sandbox !== undefined && baseUrl === sandbox.base_url;
  const apiKey = options.apiKey ?? readVariable(source, 'PARLEY_API_KEY') ?? (isSandbox ? sandbox.api_key : undefined);
  if (apiKey === undefined) throw new ConfigError(`PARLEY_API_KEY (or --api-key) is required for ${baseUrl}`);
  const absent = (what: string, url: string): string =>
    isSandbox
      ? `the sandbox of ${dataDir} is not running: start it with npm start`
      : `no connection to ${url}: is ${what} running there?`;
  return {
    api: new JsonApi({ baseUrl, apiKey, absent: absent('Parley', baseUrl) }),
    simulator: () => {
      const named = urlOf('PARLEY_SIMULATOR_URL', options.simulatorUrl ?? source['PARLEY_SIMULATOR_URL']);
      const url = named ?? (isSandbox ? sandbox.simulator_url : null);
      if (url === null) {
        throw new ConfigError(
          `PARLEY_SIMULATOR_URL (or --simulator-url) is required: ${baseUrl} is no sandbox with a simulated network`,
        );
      }
      // It takes any token but an expired one.
      return new JsonApi({ baseUrl: url, apiKey: 'simulated', absent: absent('the simulator', url) });
    },
  };
}

/** Without the slashes at its end, as paths are put behind it. */
function urlOf(name: string, value: string | undefined): string | undefined {
  const url = value?.trim();
  if (!url) return undefined;
  try {
    return parseUrl('http:', 'https:')(url).replace(/\/+$/, '');
  } catch (error) {
    throw new ConfigError(`${name} ${(error as Error).message}`);
  }
}

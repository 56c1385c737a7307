import path from 'node:path';
import type { Command } from 'commander';
import { readPrivateJson } from '../../sandbox/private-file.js';
import { type SandboxFile, sandboxFilePath } from '../../sandbox/sandbox-file.js';
import { parseUrl } from '../config/environment-values.js';
import { ConfigError, readVariable, type Source } from '../config/variables.js';
import { httpUrl, textUpTo } from './argument-values.js';
import { JsonApi } from './json-api.js';

/** The command-line options that locate Parley and the simulator. */
export interface ApiOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly simulatorUrl?: string;
}

/** Access to Parley over its public API. */
export interface ApiAccess {
  readonly api: JsonApi;
  /**
   * The simulated network.
   *
   * @throws ConfigError when its URL is not known
   */
  simulator(): JsonApi;
}

/** Adds the options for Parley's URL and the API key. */
export const withApiOptions = (command: Command): Command =>
  command
    .option('--base-url <url>', 'base URL of Parley (default: PARLEY_BASE_URL, or the sandbox of DATA_DIR)', httpUrl)
    .option('--api-key <key>', 'API key (default: PARLEY_API_KEY, or the sandbox’s key)', textUpTo(256));

/** Adds the option for the simulator's URL. */
export const withSimulatorOption = (command: Command): Command =>
  command.option(
    '--simulator-url <url>',
    'URL of the simulated network (default: PARLEY_SIMULATOR_URL, or the sandbox’s simulator)',
    httpUrl,
  );

/**
 * Resolves the API access of commands that use the public API. Options win over variables, variables over the sandbox.
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
  // Never send the sandbox's key to another server.
  const isSandbox = sandbox !== undefined && baseUrl === sandbox.base_url;
  const apiKey = options.apiKey ?? readVariable(source, 'PARLEY_API_KEY') ?? (isSandbox ? sandbox.api_key : undefined);
  if (apiKey === undefined) throw new ConfigError(`PARLEY_API_KEY (or --api-key) is required for ${baseUrl}`);
  const absent = (what: string, url: string): string =>
    isSandbox
      ? `the sandbox of ${dataDir} is not running: start it with npm start`
      : `cannot connect to ${url}: is ${what} running there?`;
  return {
    api: new JsonApi({ baseUrl, apiKey, absent: absent('Parley', baseUrl) }),
    simulator: () => {
      const named = urlOf('PARLEY_SIMULATOR_URL', options.simulatorUrl ?? source['PARLEY_SIMULATOR_URL']);
      const url = named ?? (isSandbox ? sandbox.simulator_url : null);
      if (url === null) {
        throw new ConfigError(
          `PARLEY_SIMULATOR_URL (or --simulator-url) is required: ${baseUrl} is not a sandbox with a simulated network`,
        );
      }
      // The simulator accepts any token but an expired one.
      return new JsonApi({ baseUrl: url, apiKey: 'simulated', absent: absent('the simulator', url) });
    },
  };
}

/** Checks a URL and removes trailing slashes, so that paths can be appended. */
function urlOf(name: string, value: string | undefined): string | undefined {
  const url = value?.trim();
  if (!url) return undefined;
  try {
    return parseUrl('http:', 'https:')(url).replace(/(?<!\/)\/+$/, '');
  } catch (error) {
    throw new ConfigError(`${name} ${(error as Error).message}`);
  }
}

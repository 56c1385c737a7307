import path from 'node:path';
import { makePrivateDirectory } from '../scripts/lock.mjs';
import { type Source, withFileSecrets } from '../src/config/variables.js';
import type { Cleanup } from './cleanup.js';
import { PostgresProcess } from './postgres-process.js';
import { localUrl, reservePort } from './reserved-port.js';
import { forgetSandboxFile, type SandboxFile, writeSandboxFile } from './sandbox-file.js';
import { ensureSeeded, sandboxPhones } from './sandbox-seed.js';
import { sandboxEnvironment, sandboxSecrets } from './sandbox-settings.js';
import { type SimulatorConfig, SimulatorProcess } from './simulator-process.js';

/** Messages per second: what the network grants a phone after its upgrade, so a first campaign runs fast. */
const SANDBOX_THROUGHPUT = 1000;

export interface SandboxOptions {
  /** Absolute path. The caller holds its lock (scripts/lock.mjs). */
  readonly dataDir: string;
  /** Defaults to `process.env`. */
  readonly environment?: Source;
  /** Aborting stops the start at its next step and cleans up. */
  readonly signal?: AbortSignal;
  /** Messages per second of the seeded phones; 0 = no limit. Defaults to 1,000. */
  readonly throughput?: number;
}

export interface Assembly {
  /** As in sandbox.json. */
  readonly details: SandboxFile;
  readonly postgres: PostgresProcess | undefined;
  readonly simulator: SimulatorProcess | undefined;
}

/** Starts the parts in order; registers each in `cleanup` as soon as it runs. */
export async function assemble({ dataDir, signal, ...options }: SandboxOptions, cleanup: Cleanup): Promise<Assembly> {
  const source = withFileSecrets(options.environment ?? process.env);
  makePrivateDirectory(dataDir);
  const secrets = sandboxSecrets(dataDir);
  const initial = sandboxEnvironment(source, dataDir, secrets);
  const reserved = await reservePort(initial.host, initial.port);
  cleanup.add('port', () => reserved.release());
  forgetSandboxFile(dataDir);

  const baseUrl = localUrl(initial.host, reserved.port);
  makePrivateDirectory(path.join(dataDir, 'simulator'));
  const phones = sandboxPhones(dataDir);
  let publish = () => {};
  const { postgres, simulator, service } = await startParts(source, dataDir, cleanup, {
    config: {
      dataDir: path.join(dataDir, 'simulator'),
      callbackUrl: `${baseUrl}/network/callbacks`,
      appId: initial.network.appId,
      appSecret: initial.network.appSecret,
      verifyToken: initial.network.verifyToken,
      phones,
    },
    restarted: () => publish(),
  });
  signal?.throwIfAborted();

  const environment = sandboxEnvironment(source, dataDir, secrets, {
    port: reserved.port,
    databaseUrl: postgres?.url,
    networkBaseUrl: simulator?.url,
    publicUrl: source['PUBLIC_URL']?.trim() || baseUrl,
  });
  const parley = await service.startService(environment);
  cleanup.add('service', () => parley.close());
  const seeded = await ensureSeeded(dataDir, parley.seeder, phones, options.throughput ?? SANDBOX_THROUGHPUT);
  await reserved.release();
  const consoleLink = environment.console ? await parley.signInLink(baseUrl, seeded.user_id) : null;
  await parley.listen();
  signal?.throwIfAborted();

  const details = (): SandboxFile => ({
    base_url: baseUrl,
    console_link: consoleLink,
    ...seeded,
    simulator_url: simulator?.url ?? null,
    database_url: environment.databaseDirectUrl,
    network_app_secret: environment.network.appSecret,
    network_verify_token: environment.network.verifyToken,
    pid: process.pid,
    simulator_pid: simulator?.pid ?? null,
  });
  publish = () => writeSandboxFile(dataDir, details());
  publish();
  return { details: details(), postgres, simulator };
}

interface SimulatorStart {
  readonly config: SimulatorConfig;
  readonly restarted: () => void;
}

/** Runs the three slow steps in parallel: PostgreSQL, the simulator, and loading the service's modules. */
async function startParts(source: Source, dataDir: string, cleanup: Cleanup, { config, restarted }: SimulatorStart) {
  const given = (name: string) => Boolean(source[name]?.trim());
  const recordFile = path.join(dataDir, 'simulator.json');
  // Wait for all three before reporting a failure, so nothing is still starting when the cleanup runs.
  const outcomes = await Promise.allSettled([
    given('DATABASE_URL') ? undefined : PostgresProcess.start(dataDir),
    given('NETWORK_BASE_URL') ? undefined : SimulatorProcess.start(config, recordFile, restarted),
    import('./service.js'),
  ]);
  const [postgres, simulator, service] = outcomes;
  if (postgres.status === 'fulfilled') cleanup.add('PostgreSQL', () => postgres.value?.stop());
  if (simulator.status === 'fulfilled') cleanup.add('simulator', () => simulator.value?.stop());
  if (postgres.status === 'rejected') throw postgres.reason;
  if (simulator.status === 'rejected') throw simulator.reason;
  if (service.status === 'rejected') throw service.reason;
  return { postgres: postgres.value, simulator: simulator.value, service: service.value };
}

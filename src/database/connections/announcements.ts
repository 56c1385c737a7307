import type { OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import type { Environment } from '../../config/environment.js';
import { CONTROL_DEADLINES, MAX_CONNECT_MS, startupOptions } from './deadlines.js';
import { WatchedClient } from './watched-client.js';

/** Milliseconds before reconnecting. */
const RECONNECT_MS = 1000;
/** Milliseconds between heartbeats: a connection that only listens never notices that the server is gone. */
const HEARTBEAT_MS = 5000;

/** @param payload null after each (re)connection, because an announcement may have been missed */
type Heard = (payload: string | null) => void;

/**
 * Listens for what other processes announce by NOTIFY, on one connection of its own that is opened for the first
 * listener and reopened when it breaks. Announcements may be lost, so whoever listens must also find out otherwise.
 */
export class Announcements implements OnApplicationShutdown {
  private readonly listeners = new Map<string, Heard>();
  private client: pg.Client | null = null;
  private isListening = false;
  private timer: NodeJS.Timeout | null = null;
  private heartbeat: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(private readonly environment: Pick<Environment, 'databaseDirectUrl'>) {}

  /** The pid of its session on the server, which ends with this process; null while there is none. */
  get session(): number | null {
    return this.isListening ? ((this.client as { processID?: number } | null)?.processID ?? null) : null;
  }

  /** Calls `heard` for each announcement on a channel, which has one listener. */
  listen(channel: string, heard: Heard): void {
    this.listeners.set(channel, heard);
    if (this.closed) return;
    if (this.client === null && this.timer === null) this.connect();
    // Otherwise it is about to listen to all channels.
    else if (this.isListening)
      this.client?.query(`LISTEN ${channel}`).then(
        () => heard(null),
        () => this.reopen(),
      );
  }

  private connect(): void {
    this.timer = null;
    const client: pg.Client = new WatchedClient({
      connectionString: this.environment.databaseDirectUrl,
      application_name: 'parley-listen',
      keepAlive: true,
      connectionTimeoutMillis: MAX_CONNECT_MS,
      options: startupOptions(CONTROL_DEADLINES),
      statementMs: CONTROL_DEADLINES.statementMs,
    });
    this.client = client;
    const reopen = () => {
      if (this.client === client) this.reopen();
    };
    client.on('error', reopen);
    client.on('end', reopen);
    client.on('notification', ({ channel, payload = '' }) => this.listeners.get(channel)?.(payload));
    client
      .connect()
      .then(() => this.listenToAll(client))
      .catch(reopen);
  }

  private async listenToAll(client: pg.Client): Promise<void> {
    if (this.client !== client) return;
    this.isListening = true;
    const channels = [...this.listeners];
    await client.query(channels.map(([channel]) => `LISTEN ${channel}`).join('; '));
    if (this.client !== client) return;
    // A heartbeat without an answer ends the connection, which is then reopened.
    this.heartbeat = setInterval(() => client.query('SELECT 1').catch(() => undefined), HEARTBEAT_MS);
    this.heartbeat.unref();
    for (const [, heard] of channels) heard(null);
  }

  private reopen(): void {
    this.drop();
    if (!this.closed) this.timer ??= setTimeout(() => this.connect(), RECONNECT_MS);
  }

  private drop(): Promise<void> {
    const { client } = this;
    this.client = null;
    this.isListening = false;
    if (this.heartbeat !== null) clearInterval(this.heartbeat);
    this.heartbeat = null;
    return client?.end().catch(() => undefined) ?? Promise.resolve();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.drop();
  }
}

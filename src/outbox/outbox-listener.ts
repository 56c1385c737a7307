import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { CONTROL_DEADLINES, MAX_CONNECT_MS, startupOptions } from '../database/connections/deadlines.js';
import { WatchedClient } from '../database/connections/watched-client.js';
import { OUTBOX_CHANNEL } from './outbox-signal.js';

/** Milliseconds before reconnecting. The relay's poll bridges the gap. */
const RECONNECT_MS = 1000;
/** Milliseconds between heartbeats: a connection that only listens never notices that the server is gone. */
const HEARTBEAT_MS = 5000;

/** Listens for announcements of processes without a relay, on its own connection, and reconnects when it breaks. */
@Injectable()
export class OutboxListener implements OnApplicationShutdown {
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private heartbeat: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  /** Calls `heard` for each announcement, and after each (re)connection, because one may have been missed. */
  listen(heard: () => void): void {
    if (this.closed) return;
    const client: pg.Client = new WatchedClient({
      connectionString: this.environment.databaseDirectUrl,
      application_name: 'parley-outbox',
      keepAlive: true,
      connectionTimeoutMillis: MAX_CONNECT_MS,
      options: startupOptions(CONTROL_DEADLINES),
      statementMs: CONTROL_DEADLINES.statementMs,
    });
    this.client = client;
    const reopen = () => {
      if (this.client !== client) return;
      this.client = null;
      this.stopHeartbeat();
      client.end().catch(() => undefined);
      if (!this.closed) this.timer = setTimeout(() => this.listen(heard), RECONNECT_MS);
    };
    client.on('error', reopen);
    client.on('end', reopen);
    client.on('notification', heard);
    client
      .connect()
      .then(() => client.query(`LISTEN ${OUTBOX_CHANNEL}`))
      .then(() => this.startHeartbeat(client))
      .then(heard)
      .catch(reopen);
  }

  /** A heartbeat without an answer ends the connection, which is then reopened. */
  private startHeartbeat(client: pg.Client): void {
    if (this.client !== client) return;
    this.heartbeat = setInterval(() => client.query('SELECT 1').catch(() => undefined), HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  private stopHeartbeat(): void {
    if (this.heartbeat !== null) clearInterval(this.heartbeat);
    this.heartbeat = null;
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    this.stopHeartbeat();
    if (this.timer !== null) clearTimeout(this.timer);
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }
}

import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { OUTBOX_CHANNEL } from './outbox-signal.js';

/** Wait before a lost connection is opened again, milliseconds. The relay's poll bridges the gap. */
const RECONNECT_MS = 1000;

/** Hears announcements of processes without a relay, on a connection of its own that it reopens when it breaks. */
@Injectable()
export class OutboxListener implements OnApplicationShutdown {
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  /** Calls `heard` for each announcement, and once after each (re)connection: something may have been missed. */
  listen(heard: () => void): void {
    if (this.closed) return;
    const client = new pg.Client({
      connectionString: this.environment.databaseUrl,
      application_name: 'parley-outbox',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    });
    this.client = client;
    const reopen = () => {
      if (this.client !== client) return;
      this.client = null;
      client.end().catch(() => undefined);
      if (!this.closed) this.timer = setTimeout(() => this.listen(heard), RECONNECT_MS);
    };
    client.on('error', reopen);
    client.on('end', reopen);
    client.on('notification', heard);
    client
      .connect()
      .then(() => client.query(`LISTEN ${OUTBOX_CHANNEL}`))
      .then(heard)
      .catch(reopen);
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }
}

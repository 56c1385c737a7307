import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../database/unit-of-work.js';
import { HOUR, SECOND } from '../../values/clock.js';
import { OncePer } from '../../values/once-per.js';
import type { Template } from '../template.entity.js';
import { recordUses } from './template-look.queries.js';

/** Between two writes. */
const WRITE_EVERY_MS = SECOND;

/**
 * Remembers which templates are in use, so that nobody has to search the messages for them. A use is written once per
 * hour and process, after the send and beside it: a send waits for nothing.
 */
@Injectable()
export class TemplateUsesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TemplateUsesService.name);
  private readonly uses = new OncePer(HOUR);
  /** Accounts of the templates whose use is not written yet. */
  private unwritten = new Map<string, string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly background: BackgroundUnitOfWork) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), WRITE_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.write();
  }

  /** Notes that a template is about to be sent. */
  note({ accountId, id }: Pick<Template, 'accountId' | 'id'>): void {
    if (this.uses.allows(id)) this.unwritten.set(id, accountId);
  }

  private async write(): Promise<void> {
    if (this.unwritten.size === 0) return;
    const { unwritten } = this;
    this.unwritten = new Map();
    try {
      const uses = [...unwritten].map(([templateId, accountId]) => ({ accountId, templateId }));
      await recordUses(uses, this.background.autocommit);
    } catch (error) {
      // Kept for the next time: nobody else remembers them.
      this.unwritten = new Map([...unwritten, ...this.unwritten]);
      this.logger.warn(`could not store that ${unwritten.size} templates are in use: ${(error as Error).message}`);
    }
  }
}

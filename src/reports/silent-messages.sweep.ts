import { Injectable } from '@nestjs/common';
import { Pipeline } from '../database/unit-of-work.js';
import { MESSAGE_ERRORS } from '../errors/error-catalog.js';
import type { MessageReport } from '../messages/outcomes/message-report.js';
import { MessageReportsService } from '../messages/outcomes/message-reports.service.js';
import { Outbox } from '../outbox/outbox.js';
import { Sweep } from '../queues/sweep.js';
import { DAY, HOUR, now } from '../values/clock.js';
import type { SilenceLook } from './silence-look.entity.js';
import { findSilentMessages, moveLook, readLooks, type SilentMessage } from './silent-message.queries.js';

/** How long the network may report nothing about a message that it accepted, milliseconds. */
const SILENCE_MS = 30 * DAY;
/** The ids looked at by one statement, as the time in which they were made, milliseconds. */
const STRETCH_MS = HOUR;
/** Messages found by one statement. */
const MAX_FOUND = 1000;
/** Messages failed in one transaction. */
const MAX_PER_TRANSACTION = 100;

/**
 * Fails messages that the network accepted at least 30 days ago and has never reported. It goes through the log once, in
 * the order of ids, from the upgrade on. A message keeps its id while its campaign waits, so it may have been accepted much
 * later: everything is looked at again when it is 60 days old. A death repeats at most one stretch, which changes nothing.
 */
@Injectable()
export class SilentMessagesSweep extends Sweep {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly reports: MessageReportsService,
    private readonly outbox: Outbox,
  ) {
    super(HOUR);
  }

  protected async sweep(): Promise<void> {
    const looks = await readLooks(this.pipeline.autocommit);
    await this.forEach(
      looks,
      ({ afterDays }) => `messages of ${afterDays} days`,
      (look) => this.look(look),
    );
  }

  private async look({ afterDays, lookedUntil }: SilenceLook): Promise<void> {
    const end = now().getTime() - afterDays * DAY;
    for (let from = lookedUntil.getTime(); from < end && !this.isStopping; from += STRETCH_MS) {
      const until = new Date(Math.min(from + STRETCH_MS, end));
      if (!(await this.search({ from: new Date(from), until }))) return;
      await moveLook(afterDays, until, this.pipeline.autocommit);
    }
  }

  /** @returns whether all of the stretch is done; a message that is locked leaves it to the next run */
  private async search(stretch: { readonly from: Date; readonly until: Date }): Promise<boolean> {
    const acceptedBefore = new Date(now().getTime() - SILENCE_MS);
    const left: string[] = [];
    for (;;) {
      const { autocommit } = this.pipeline;
      const found = await findSilentMessages(stretch, acceptedBefore, left, MAX_FOUND, autocommit);
      left.push(...(await this.forEachAccount(found, (_, own) => this.failAll(own))));
      if (this.isStopping) return false;
      if (found.length < MAX_FOUND) return left.length === 0;
    }
  }

  private async failAll(own: readonly SilentMessage[]): Promise<void> {
    for (let start = 0; start < own.length; start += MAX_PER_TRANSACTION) {
      const at = now();
      const reports = own
        .slice(start, start + MAX_PER_TRANSACTION)
        .map((message): MessageReport => ({ ...message, kind: 'silent', at, error: MESSAGE_ERRORS.neverReported }));
      await this.pipeline.transaction((tx) => this.reports.record(reports, tx));
      this.outbox.announce();
    }
  }
}

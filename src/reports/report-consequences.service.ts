import { Injectable } from '@nestjs/common';
import type { ReportOutcome } from '../messages/outcomes/message-report.js';
import { classOf } from '../network/network-codes.js';
import { LearnedIdentitiesService } from '../people/learned-identities.service.js';
import { type MetStop, Stops } from '../sending/stops.js';

/** What follows from reports once they are stored, in the background: what they say about people, and what they stop. */
@Injectable()
export class ReportConsequencesService {
  constructor(
    private readonly people: LearnedIdentitiesService,
    private readonly stops: Stops,
  ) {}

  /** Not within the transaction of the reports: this may merge contacts, which locks them before their messages. */
  follow(outcomes: readonly ReportOutcome[]): void {
    this.people.enqueue(outcomes.flatMap(({ learned }) => (learned === null ? [] : [learned])));
    const failures = outcomes.flatMap(failureIn);
    if (failures.length > 0) this.stops.stop(failures);
  }
}

/** The failure that a report has just established. */
function failureIn({ before, message }: ReportOutcome): MetStop[] {
  const { accountId, messageId, businessPhoneId, campaignId, error } = message;
  if (error === null || error.code === before.error?.code) return [];
  const errorClass = classOf({ code: error.code, isReported: true });
  return [{ accountId, messageId, businessPhoneId, campaignId, error, errorClass }];
}

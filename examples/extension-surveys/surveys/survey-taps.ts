import { Injectable } from '@nestjs/common';
import { InboundListener, Outbox, type TapFacts, type Tx } from 'parley';
import { insertAnswer } from './survey-answers.queries.js';
import { choiceOf } from './survey-button.js';
import { surveyAnswered } from './surveys.events.js';

/** Stores what contacts answer, each once for each survey. */
@Injectable()
export class SurveyTaps extends InboundListener {
  constructor(private readonly outbox: Outbox) {
    super();
  }

  override async onTap(accountId: string, { contactId, button, at }: TapFacts, tx: Tx): Promise<void> {
    const choice = choiceOf(button.id);
    if (choice === null) return;
    const stored = await insertAnswer(accountId, { ...choice, contactId, answeredAt: at }, tx);
    if (stored !== null) await this.outbox.write([surveyAnswered(stored)], tx);
  }
}

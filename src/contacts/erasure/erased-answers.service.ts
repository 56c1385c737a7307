import { Injectable } from '@nestjs/common';
import { AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { redactedAbout } from '../../values/redaction.js';
import { ContactErasureService } from './contact-erasure.service.js';

/** Redacts people who are being erased from responses stored under idempotency keys. */
@Injectable()
export class ErasedAnswersService extends AnswerRedaction {
  constructor(private readonly erasures: ContactErasureService) {
    super();
  }

  async redact(accountId: string, body: string): Promise<string> {
    const people = await this.erasures.pendingTokens(accountId);
    return people.all.length > 0 && people.areNamedIn(body)
      ? JSON.stringify(redactedAbout(JSON.parse(body), people))
      : body;
  }
}

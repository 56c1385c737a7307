import { Injectable } from '@nestjs/common';
import { AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { namesAnyone, redactedAbout } from '../../values/redaction.js';
import { ContactErasureService } from './contact-erasure.service.js';

/** Redacts people who are being erased from responses stored under idempotency keys. */
@Injectable()
export class ErasedAnswersService extends AnswerRedaction {
  constructor(private readonly erasures: ContactErasureService) {
    super();
  }

  async redact(accountId: string, body: string): Promise<string> {
    // Decrypting the tokens of fifty thousand people takes half a second, and most answers name nobody.
    if (!namesAnyone(body)) return body;
    const { people, unreadable } = await this.erasures.pendingTokens(accountId);
    const kept = people.areNamedIn(body) ? JSON.stringify(redactedAbout(JSON.parse(body), people)) : body;
    const [first] = unreadable;
    // Anyone that the answer names may be the person whose tokens are unreadable.
    if (first !== undefined && namesAnyone(kept)) throw first.error;
    return kept;
  }
}

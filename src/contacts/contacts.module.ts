import { Global, Module } from '@nestjs/common';
import { AnswerRedaction } from '../idempotency/answer-redaction.js';
import { ContactErasures } from './contact-erasure.service.js';
import { ContactFilesController } from './contact-files.controller.js';
import { ContactFilesService } from './contact-files.service.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsService } from './contacts.service.js';
import { ErasedAnswers } from './erased-answers.service.js';
import { IdentityHashes } from './identity-hashes.service.js';
import { LearnedIdentities } from './learned-identities.service.js';

/** The people an account writes to. */
@Global()
@Module({
  controllers: [ContactFilesController, ContactsController],
  providers: [
    ContactErasures,
    ContactFilesService,
    ContactsService,
    IdentityHashes,
    LearnedIdentities,
    { provide: AnswerRedaction, useClass: ErasedAnswers },
  ],
  exports: [AnswerRedaction, ContactErasures, ContactsService, LearnedIdentities],
})
export class ContactsModule {}

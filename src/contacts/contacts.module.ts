import { Global, Module } from '@nestjs/common';
import { AnswerRedaction } from '../idempotency/answer-redaction.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsService } from './contacts.service.js';
import { ContactErasureService } from './erasure/contact-erasure.service.js';
import { ErasedAnswersService } from './erasure/erased-answers.service.js';
import { IdentityHashesService } from './erasure/identity-hashes.service.js';
import { ContactFilesController } from './files/contact-files.controller.js';
import { ContactFilesService } from './files/contact-files.service.js';
import { LearnedIdentitiesService } from './identity/learned-identities.service.js';

/** The people an account writes to, and what happens to their data. */
@Global()
@Module({
  controllers: [ContactFilesController, ContactsController],
  providers: [
    ContactErasureService,
    ContactFilesService,
    ContactsService,
    IdentityHashesService,
    LearnedIdentitiesService,
    { provide: AnswerRedaction, useClass: ErasedAnswersService },
  ],
  exports: [AnswerRedaction, ContactErasureService, ContactsService, LearnedIdentitiesService],
})
export class ContactsModule {}

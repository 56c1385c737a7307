import { AnswerRedaction } from '../idempotency/answer-redaction.js';
import { Room } from '../manifest/room.js';
import { ContactsController } from './contacts.controller.js';
import { CONTACTS_EXAMPLES } from './contacts.examples.js';
import { ContactsService } from './contacts.service.js';
import { ContactErasure } from './erasure/contact-erasure.entity.js';
import { ContactErasureService } from './erasure/contact-erasure.service.js';
import { ContactPurge } from './erasure/contact-purge.entity.js';
import { ErasedAnswersService } from './erasure/erased-answers.service.js';
import { ContactFilesController } from './files/contact-files.controller.js';
import { ContactFilesService } from './files/contact-files.service.js';

/** The contacts of an account as its callers see them, and what happens to their data. */
@Room({
  areas: ['contacts'],
  tags: [['contacts', 'The people that you write to']],
  examples: CONTACTS_EXAMPLES,
  entities: [ContactErasure, ContactPurge],
  personalData: { covered: ['contact_erasures'] },
  kept: { contact_purges: 'until all contacts are hidden' },
  controllers: [ContactFilesController, ContactsController],
  providers: [
    ContactErasureService,
    ContactFilesService,
    ContactsService,
    { provide: AnswerRedaction, useClass: ErasedAnswersService },
  ],
  exports: [AnswerRedaction, ContactErasureService, ContactsService],
})
export class ContactsModule {}

import { Module } from '@nestjs/common';
import { ContactFilesController } from './contact-files.controller.js';
import { ContactFilesService } from './contact-files.service.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsService } from './contacts.service.js';
import { LearnedIdentities } from './learned-identities.service.js';

/** The people an account writes to. */
@Module({
  controllers: [ContactFilesController, ContactsController],
  providers: [ContactFilesService, ContactsService, LearnedIdentities],
  exports: [ContactsService, LearnedIdentities],
})
export class ContactsModule {}

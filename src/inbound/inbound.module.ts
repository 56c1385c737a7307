import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { AccountNotices } from './account-notices.service.js';
import { AutomaticReplies } from './automatic-replies.service.js';
import { CallbacksController } from './callbacks.controller.js';
import { Callbacks } from './callbacks.service.js';
import { InboundMessages } from './inbound-messages.service.js';
import { ParkedReportsSweep } from './parked-reports.sweep.js';
import { ReportIntake } from './report-intake.service.js';
import { TemplateDecisions } from './template-decisions.service.js';

/** What the network tells us: verified, batched, handed to the rooms it concerns. */
@Module({})
export class InboundModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: InboundModule,
      imports: [ContactsModule, ConversationsModule, TemplatesModule],
      controllers: roles.has('api') ? [CallbacksController] : [],
      providers: [
        ReportIntake,
        InboundMessages,
        AutomaticReplies,
        TemplateDecisions,
        AccountNotices,
        Callbacks,
        ...(roles.has('worker') ? [ParkedReportsSweep] : []),
      ],
    };
  }
}

import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { FreeFormSender } from './free-form-sender.service.js';
import { MessageHistory } from './message-history.service.js';
import { MessageReports } from './message-reports.service.js';
import { MessageSweep } from './message-sweep.js';
import { MessagesController } from './messages.controller.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { SenderPhone } from './sender-phone.service.js';
import { SendingMedia } from './sending-media.service.js';
import { SingleIntents } from './single-intents.service.js';
import { SingleSender } from './single-sender.service.js';
import { TemplateSender } from './template-sender.service.js';
import { ThreadMessagesController } from './thread-messages.controller.js';

/** Single messages, and what is learned about every message. Needs a {@link CampaignProgress} from above. */
@Global()
@Module({})
export class MessagesModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: MessagesModule,
      imports: [TemplatesModule],
      controllers: roles.has('api') ? [MessagesController, ThreadMessagesController] : [],
      providers: [
        MessageReports,
        OutcomeRecorder,
        SingleIntents,
        SingleSender,
        SendingMedia,
        SenderPhone,
        TemplateSender,
        MessageHistory,
        FreeFormSender,
        ...(roles.has('worker') ? [MessageSweep] : []),
      ],
      exports: [MessageReports, OutcomeRecorder, SendingMedia, SenderPhone, SingleIntents, SingleSender],
    };
  }
}

import { Room } from '../manifest/room.js';
import { AccountNoticesService } from './account-notices.service.js';
import { AutomaticRepliesService } from './automatic-replies.service.js';
import { CallbackAppsService } from './callback-apps.service.js';
import { CallbacksController } from './callbacks.controller.js';
import { CallbacksService } from './callbacks.service.js';
import { INBOUND_EXAMPLES } from './inbound.examples.js';
import { AfterCommit, InboundMessagesService } from './inbound-messages.service.js';
import { MarketingPreferencesService } from './marketing-preferences.service.js';
import { MessageArrivalsService } from './message-arrivals.service.js';
import { MessageChangesService } from './message-changes.service.js';
import { PhoneAppEchoesService } from './phone-app-echoes.service.js';
import { TemplateDecisionsService } from './template-decisions.service.js';

/** Receives the network's callbacks: verifies and batches them, and hands their items to the modules they concern. */
@Room({
  tags: [['network', 'Called by the messaging network, not by you']],
  examples: INBOUND_EXAMPLES,
  controllers: [CallbacksController],
  providers: [
    AfterCommit,
    MessageArrivalsService,
    MessageChangesService,
    PhoneAppEchoesService,
    InboundMessagesService,
    AutomaticRepliesService,
    TemplateDecisionsService,
    AccountNoticesService,
    MarketingPreferencesService,
    CallbackAppsService,
    CallbacksService,
  ],
})
export class InboundModule {}

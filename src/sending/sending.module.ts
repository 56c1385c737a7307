import { Room } from '../manifest/room.js';
import { Attempts } from './attempts.js';
import { SendInFlight } from './ledger/send-in-flight.entity.js';
import { SendLedger } from './ledger/send-ledger.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { ReadReceiptsController } from './read-receipts.controller.js';
import { SendingController } from './sending.controller.js';
import { SENDING_EXAMPLES } from './sending.examples.js';
import { FreeFormSenderService } from './single/free-form-sender.service.js';
import { ReadReceiptsService } from './single/read-receipts.service.js';
import { SendExtrasService } from './single/send-extras.service.js';
import { SenderPhoneService } from './single/sender-phone.service.js';
import { SendingMediaService } from './single/sending-media.service.js';
import { SingleIntentsService } from './single/single-intents.service.js';
import { SingleSenderService } from './single/single-sender.service.js';
import { TemplateSenderService } from './single/template-sender.service.js';
import { PhoneThroughput } from './slots/phone-throughput.entity.js';
import { PhoneWait } from './slots/phone-wait.entity.js';
import { PhoneWaits } from './slots/phone-waits.js';
import { Throughput } from './slots/throughput.js';

/** How a message gets to the network, for single sends, automatic replies and campaigns alike; and single sends. */
@Room({
  examples: SENDING_EXAMPLES,
  entities: [SendInFlight, PhoneThroughput, PhoneWait],
  kept: { sends_in_flight: 'until the outcome is known', phone_waits: 'until the network answers' },
  controllers: [SendingController, ReadReceiptsController],
  providers: [
    Attempts,
    Throughput,
    PhoneWaits,
    SendLedger,
    OutcomeRecorder,
    SingleIntentsService,
    SingleSenderService,
    SendingMediaService,
    SenderPhoneService,
    SendExtrasService,
    TemplateSenderService,
    FreeFormSenderService,
    ReadReceiptsService,
  ],
  exports: [
    Attempts,
    FreeFormSenderService,
    OutcomeRecorder,
    PhoneWaits,
    SendingMediaService,
    SenderPhoneService,
    SingleIntentsService,
    SingleSenderService,
    TemplateSenderService,
    Throughput,
  ],
})
export class SendingModule {}

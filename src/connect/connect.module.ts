import { Room } from '../manifest/room.js';
import { ConnectController } from './connect.controller.js';
import { CONNECT_EXAMPLES } from './connect.examples.js';
import { MetaReaderService } from './meta-reader.service.js';
import { PhoneConnectionService } from './phone-connection.service.js';
import { PhoneHealthService } from './phone-health.service.js';
import { PhoneRemovalService } from './phone-removal.service.js';
import { SilentPhonesSweep } from './silent-phones.sweep.js';

/** Connects business phones at Meta and checks that messages go out and reports come back. */
@Room({
  examples: CONNECT_EXAMPLES,
  controllers: [ConnectController],
  providers: [MetaReaderService, PhoneConnectionService, PhoneHealthService, PhoneRemovalService],
  worker: [SilentPhonesSweep],
})
export class ConnectModule {}

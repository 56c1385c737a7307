import { Room } from '../manifest/room.js';
import { CloudApiClient } from './cloud-api.client.js';
import { MessagingNetwork } from './network.js';

/** The messaging network, reached over the Cloud API. */
@Room({
  providers: [{ provide: MessagingNetwork, useClass: CloudApiClient }],
  exports: [MessagingNetwork],
})
export class NetworkModule {}

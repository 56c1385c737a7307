import { Global, Module } from '@nestjs/common';
import { CloudApiClient } from './cloud-api.client.js';
import { MessagingNetwork } from './network.js';
import { Throughput } from './throughput.js';

/** The messaging network, reached over the Cloud API. */
@Global()
@Module({
  providers: [{ provide: MessagingNetwork, useClass: CloudApiClient }, Throughput],
  exports: [MessagingNetwork, Throughput],
})
export class NetworkModule {}

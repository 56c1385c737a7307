import { Room } from '../manifest/room.js';
import { BusinessPhonesController } from './business-phones.controller.js';
import { PhoneFactsSweep } from './phone-facts.sweep.js';

/** Lists business phones over HTTP and looks them up on the network. accounts/ owns them, below authentication. */
@Room({
  areas: ['business_phones'],
  tags: [['business-phones', 'The numbers that you send from']],
  controllers: [BusinessPhonesController],
  worker: [PhoneFactsSweep],
})
export class BusinessPhonesModule {}

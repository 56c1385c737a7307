import { lowestIdAt } from '../../database/schema/partitions.js';
import { DAY, HOUR } from '../../values/clock.js';
import { DeliveryLane, TenantLanes } from './delivery-lane.js';

const newLane = () => new DeliveryLane(new TenantLanes('account'), 'endpoint');
const idOf = (hoursAgo: number): string => lowestIdAt(new Date(Date.now() - hoursAgo * HOUR));

describe('DeliveryLane', () => {
  it('leases deliveries of the last day when nothing older is due', () => {
    const lane = newLane();
    lane.markDue();
    const since = lane.startLease();
    expect(since > idOf(25)).toBe(true);
    expect(since < idOf(23)).toBe(true);
  });

  it('leases from the oldest due delivery on, even if later ones are reported due afterwards', () => {
    const lane = newLane();
    const oldest = lowestIdAt(new Date(Date.now() - 20 * DAY));
    lane.markDue(oldest);
    lane.markDue();
    lane.markDue(idOf(1));
    expect(lane.startLease()).toBe(oldest);
  });

  it('always leases fresh deliveries too', () => {
    const lane = newLane();
    lane.markDue(idOf(1));
    expect(lane.startLease() < idOf(23)).toBe(true);
  });

  it('is due again when a delivery becomes due while others are being leased', () => {
    const lane = newLane();
    lane.markDue();
    lane.startLease();
    expect(lane.mayHaveDue).toBe(false);
    lane.markDue();
    expect(lane.mayHaveDue).toBe(true);
  });
});

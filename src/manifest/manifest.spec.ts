import 'reflect-metadata';
import { type EventClass, type EventManifest, eventBody } from './event-manifest.js';
import { Manifest } from './manifest.js';
import { Room, type RoomClass, type RoomManifest } from './room.js';

const kind = (name: string, more: Partial<EventManifest> = {}): EventClass =>
  class extends eventBody(name, { when: 'Something happened', ...more }) {};
function room(name: string, manifest: RoomManifest): RoomClass {
  const made = { [name]: class {} }[name] as RoomClass;
  Room(manifest)(made);
  return made;
}

const INVOICES = room('Invoices', {
  areas: ['invoices', 'payments'],
  events: [kind('invoice.tested', { reach: 'direct' }), kind('invoice.paid')],
});
const MESSAGES = room('Messages', {
  areas: ['messages'],
  events: [kind('message.sent', { reach: 'usual' }), kind('message.billed', { scope: 'invoices:read' })],
});

describe('the events of a manifest', () => {
  const manifest = new Manifest([INVOICES, MESSAGES]);

  it('begin with the usual ones and end with those that nobody can subscribe to', () => {
    expect([...manifest.events.keys()]).toEqual(['message.sent', 'invoice.paid', 'message.billed', 'invoice.tested']);
    expect(manifest.usualEvents).toEqual(['message.sent']);
    expect(manifest.subscriptions).toEqual(['message.sent', 'invoice.paid', 'message.billed', '*']);
  });

  it('need the scope that reads the first area of their room, unless they name another', () => {
    expect([...manifest.events].map(([name, { scope }]) => [name, scope])).toEqual([
      ['message.sent', 'messages:read'],
      ['invoice.paid', 'invoices:read'],
      ['message.billed', 'invoices:read'],
      ['invoice.tested', 'invoices:read'],
    ]);
  });

  it('belong to one room each', () => {
    const other = room('Other', { areas: ['others'], events: [kind('invoice.paid')] });
    expect(() => new Manifest([INVOICES, other])).toThrow('two rooms declare invoice.paid among their events');
  });

  it('need a scope that a room declares', () => {
    const events = [kind('invoice.paid', { scope: 'bills:read' })];
    expect(() => new Manifest([room('Other', { areas: ['invoices'], events })])).toThrow(
      'the event invoice.paid needs the scope bills:read, which no room declares',
    );
    expect(() => new Manifest([room('Areal', { events: [kind('invoice.paid')] })])).toThrow(
      'the event invoice.paid needs a scope, but its room has no area',
    );
  });
});

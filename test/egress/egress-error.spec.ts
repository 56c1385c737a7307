import { EgressError, egressFailureOf } from '../../src/egress/egress-error.js';

const fault = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

describe('an error of an outgoing request', () => {
  it.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])(
    'is ours when the machine has run out: %s',
    (code) => {
      const ours = fault(code);
      expect(egressFailureOf(ours)).toBe(ours);
      expect(egressFailureOf(new AggregateError([ours, fault('ECONNREFUSED')]))).toBe(ours);
    },
  );

  it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'CERT_HAS_EXPIRED'])(
    'is the other side’s otherwise: %s',
    (code) => {
      expect(egressFailureOf(fault(code))).toBeInstanceOf(EgressError);
    },
  );
});

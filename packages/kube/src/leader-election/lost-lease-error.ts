/** The process ends, because work that it started as the leader must not continue. */
export class LostLeaseError extends Error {
  constructor() {
    super(
      'this process no longer leads: it could not renew its lease in time. Another replica takes over, or this one after a restart.',
    );
    this.name = 'LostLeaseError';
  }
}

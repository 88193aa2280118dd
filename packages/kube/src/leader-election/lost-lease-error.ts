/** The process ends: what it has begun as the leader may no longer be continued. */
export class LostLeaseError extends Error {
  constructor() {
    super(
      'this process no longer leads: it could not renew its lease in time. Another replica takes over, or this one after a restart.',
    );
    this.name = 'LostLeaseError';
  }
}

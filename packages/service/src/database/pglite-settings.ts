/** Small: one user, and the operating system caches files anyway. */
export const postgresqlconf = ['shared_buffers=8MB', 'wal_buffers=256kB', 'max_connections=5', 'max_wal_size=32MB'];

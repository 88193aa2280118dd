export const TenantsPage = () => null;

/** A key whose limits are never reached. Every request still counts its rate and quota. */
export const roomySession = (apiId: string) => ({
  org_id: 'bench',
  rate: 1e9,
  per: 60,
  quota_max: 1e9,
  quota_renewal_rate: 3600,
  access_rights: { [apiId]: { api_id: apiId, api_name: apiId, versions: ['Default'] } },
})

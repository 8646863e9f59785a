/** Values that Auth.js calculated. All with the secret `secret`. */
export const secret = "secret"
export const salt = "authjs.session-token"

export const keys = {
  "A256CBC-HS512": {
    hex: "b1ef6cdd915c44c0a71232574a6a70546a5e16d12bb38df4638e3b96bdd32025131e90695ff072a9d148f1511c7a4981a85b63a628311da1fa7ccfc49c47c2bb",
    kid: "7x9DUMVaEU6giab0l0OWDt4e4SsRH_cbwMof2EzEyy6onK5o8xSPPB799RVoqm2v6z674kQCv9jom2T8S-a1dQ",
  },
  A256GCM: {
    hex: "b1ef6cdd915c44c0a71232574a6a70546a5e16d12bb38df4638e3b96bdd32025",
    kid: "tgdt-VLOTRviBTc4vwSS-WjOhg14Bq0M6tGDvSzfdgs",
  },
} as const

export const cbcToken =
  "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN3g5RFVNVmFFVTZnaWFiMGwwT1dEdDRlNFNzUkhfY2J3TW9mMkV6RXl5Nm9uSzVvOHhTUFBCNzk5UlZvcW0ydjZ6Njc0a1FDdjlqb20yVDhTLWExZFEifQ..BwcHBwcHBwcHBwcHBwcHBw.OUUThFznDxRRb-2RiQtx6kk4OHtQx-lqhCtcrW94UhOYA_aqjaRKIvWgprBxNKMcY172I56DgsBSwqYH4GiJQDM8SXTsrH6qp2EeswpkMRjFgwsdA82iAWvzVPWEBuLhRsXZOyvaA7nXLWKTkivP96e8KNyXEGozp8wAtfJmkVwaUL42iHdopa_RGLxqgLmLmFLTiNmGC1zWfsD8Wrp0MA.TKYEjzzgeB49pj4GWsgB8tumRsqkU5DqK4u7iD7gcLs"

export const cbcClaims = {
  name: "Ann",
  email: "ann@example.com",
  picture: null,
  sub: "42",
  iat: 1700000000,
  exp: 4102444800,
  jti: "00000000-0000-4000-8000-000000000000",
}

/** Written by an older version, without `kid`. */
export const gcmToken =
  "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..BwcHBwcHBwcHBwcH.xPcLhmcPqPmiODKOZNq6maeJwCovg1A_wxpmBUY.9D3G3GH2aEk_rOCI2Vp8lA"

export const gcmClaims = { sub: "42", exp: 4102444800 }

"""What scripts/tilelang-examples gives to entries that leave sizes open, and what it knows of single ones by hand.

TileLang's examples at the commit that docs/tilelang.md names; in other folders the names of SIZES do."""

#: Small values for names that kernels leave open; the first pattern that matches a whole name wins.
SIZES = [
    ("batch|B|Z|b|batch_size|num_batch", 1),
    ("heads|H|H_q|HQ|h_q|nheads|num_heads|head|heads_q", 2),
    ("groups|ngroups|G|h_kv|kv_heads|head_kv|heads_kv|H_kv|HK|kv_group|kv_head_num|kv_group_num", 1),
    ("seq.*|S|seqlen.*|max_seq.*|T|L|UQ|UKV|N_CTX|total_.*|q_len|kv_len|N_seq|max_cache_seqlen|sq|sk|seqlen_kv", 128),
    ("dim.*|D|DK|DV|head_dim.*|headdim|d|dv|dk|K_dim|V_dim|headdim_.*|hidden.*|dstate|dimv|nope_dim|rope_dim|pe_dim", 64),
    ("chunk_size|BS|chunk.*", 64),
    ("block_Dstate|block_dstate", 64),
    ("block_.*|BLOCK_.*|blk_.*|BK|BV|BT|BC|block|BI|block_DK|block_DV", 32),
    ("M|N|K|m|n|k|num_tokens|seq_len_k|seq_len_kv|num_blocks", 128),
    ("num_stages|stages", 2),
    ("threads|num_threads|thread_num|nthread", 128),
    ("in_dtype|dtype.*|input_dtype|a_dtype|b_dtype|q_dtype|out_dtype|output_dtype|storage_dtype", "float16"),
    ("acc.*dtype.*|gate_dtype|.*dtype", "float32"),
    ("is_.*|use_.*|causal|enable_.*|with_.*|save_.*|store_.*|trans_.*", False),
    ("num_(?!tokens|blocks).*|topk|window.*|KH|KW|kernel|P", 1),
    ("scale.*|sm_scale|softmax_scale|eps", 1.0),
]
#: Sizes of single entries, where asserts of the kernel or tables want others; (file, entry) or file.
SPECIAL = {
    "analyze/example_gemm_analyze.py": dict(block_M=256, block_N=256, block_K=64, num_stages=2, thread_num=128),
    "cast/example_group_per_split_token_cast_to_fp8.py": {"BG": 2, "M_max": 64, "batch_sizes[]": "64,64"},
    "deepseek_deepgemm/example_deepgemm_fp8_2xAcc.py": dict(in_dtype="float8_e4m3fn", out_dtype="bfloat16"),
    "deepseek_mhc/example_mhc_post.py": dict(hc=4, hidden=64, num_tokens=32),
    ("deepseek_mhc/example_mhc_pre.py", "mhc_pre_gemm_sqrsum_tilelang"): dict(hc_mult3=24, hc_hidden_size=256),
    "deepseek_mla/example_mla_decode.py": dict(heads=32),
    "deepseek_mla/example_mla_decode_paged.py": {"h_q": 32, "block_table[]": "2,0,3,1", "cache_seqlens[]": "100"},
    "deepseek_mla/experimental/example_mla_decode_kv_fp8.py": dict(heads=32, dtype="bfloat16"),
    ("dequantize_gemm/example_dequant_gemm_w4a8.py", "matmul_int8xint4"): dict(in_dtype="int8", out_dtype="int32", accum_dtype="int32"),
    ("dequantize_gemm/example_dequant_gemm_w4a8.py", "_convert_test"): dict(in_dtype="int8"),
    "dsa_sparse_finetune/indexer_bwd.py": dict(topk=32, heads=32),
    "dsa_sparse_finetune/indexer_topk_reducesum.py": dict(topk=32, heads=32),
    "deepseek_v4/sparse_attn_fwd_sm90.py": {"topk": 64, "heads": 32, "TopkIndices[]": "0..127"},
    "flash_decoding/example_gqa_decode.py": dict(heads=64, groups=1, block_H=64),
    "flash_decoding/example_gqa_decode_varlen_logits.py": dict(heads=32, k_heads=1, has_sink=False),
    "fusedmoe/example_fusedmoe_tilelang.py": dict(num_tokens=128, dhidden=128, dexpert=128),
    ("fusedmoe/example_fusedmoe_tilelang.py", "moe_forward_tilelang_routed"): {
        "group_sum": 128, "group_count": 2, "n_routed_experts": 2, "block_token": 32, "block_dhidden": 64, "block_dexpert": 64,
        "group_sizes[]": "60,68", "group_offsets[]": "0,60", "group_padded_offsets[]": "0,64",
        "group_idx_for_bx[]": "0,0,1,1,1,1"},
    "grouped_gemm/example_grouped_gemm_fwd.py": {
        "batch_sizes_list": [64, 64], "batch_sizes[]": "64,64", "batch_offsets[]": "0,64",
        "batch_padded_offsets[]": "0,64"},
    "grouped_gemm/example_grouped_gemm_fwd_ptr.py": dict(batch_sizes_list=[64, 64]),
    ("grouped_gemm/example_grouped_gemm_bwd.py", "grouped_gemm_fwd"): {
        "batch_sum": 128, "batch_count": 2, "batch_sizes[]": "64,64", "batch_offsets[]": "0,64",
        "batch_padded_offsets[]": "0,64"},
    ("grouped_gemm/example_grouped_gemm_bwd.py", "grouped_gemm_bwd"): {
        "batch_sum": 128, "batch_count": 2, "batch_sizes[]": "64,64", "batch_offsets[]": "0,64"},
    "dsa_hisa/clean_and_maintain_logits.py": {
        "threads": 64, "block_K": 128, "seq_len": 4, "seq_len_kv": 256, "CuSeqLenKS[]": "0,3,10,130", "CuSeqLenKE[]": "256,100,140,131"},
    ("deepseek_v32/fp8_lighting_indexer.py", "clean_logits_"): {
        "threads": 64, "block_K": 128, "seq_len": 4, "seq_len_kv": 256, "CuSeqLenKS[]": "0,3,10,130", "CuSeqLenKE[]": "256,100,140,131"},
    # As many threads as a block has rows, which T.Kernel leaves open; threads that have several elements each.
    ("gemv/example_gemv.py", "naive_gemv"): dict(BLOCK_N=128, BLOCK_K=32, N=256),
    ("gemv/example_gemv.py", "splitk_gemv"): dict(BLOCK_N=32, BLOCK_K=64, reduce_threads=8),
    ("gemv/example_gemv.py", "splitk_gemv_vectorized"): dict(BLOCK_N=32, reduce_threads=8),
    "gdn/example_chunk_delta_h.py": dict(use_initial_state=True),
    "kda/chunk_bwd_dv.py": dict(DV=128),
    "kda/chunk_bwd_gla_dA.py": dict(DV=128),
    "kda/chunk_delta_h_fwd.py": dict(use_initial_state=True),
    "kda/chunk_inter_solve_fused.py": dict(sub_chunk_size=16),
    "kda/chunk_intra_token_parallel.py": dict(sub_chunk_size=16),
    "linear_attention/example_mamba_chunk_scan.py": dict(dstate=128),
    "linear_attention/example_mamba_chunk_state.py": dict(dstate=128),
    # More than one cell along V, which add to the same dQ.
    "linear_attention/example_linear_attn_bwd.py": dict(DV=128),
    "online_softmax/online_softmax.py": dict(BLOCK_M=32, BLOCK_N=128),
    "seer_attention/block_sparse_attn_tilelang.py": {"BlockSparseMask[]": "1,0,1,1,1,0,1,1", "downsample_len": 2},
    ("blocksparse_attention/example_tilelang_block_sparse_attn.py", "blocksparse_flashattn"): {
        "BlockSparseMask[]": "1,0,1,1,1,0,1,1", "downsample_len": 2},
    "topk/example_topk.py": dict(topk=2),
}
for _name in ("example_gqa_sink_bwd_bhsd.py", "example_mha_sink_bwd_bhsd.py"):
    SPECIAL[f"attention_sink/{_name}", "flashattn_fwd"] = dict(heads=64)
    # More than one block of rows, or there would be nothing that meets.
    SPECIAL[f"attention_sink/{_name}", "flashattn_bwd"] = dict(seq_len=256)
    SPECIAL[f"attention_sink/{_name}", "flashattn_bwd_dsink"] = dict(block=128)
for _name in ("deepseek_v32/sparse_mla_fwd.py", "deepseek_v32/sparse_mla_bwd.py", "dsa_sparse_finetune/sparse_mla_fwd.py",
              "dsa_sparse_finetune/sparse_mla_bwd.py"):
    SPECIAL[_name] = {"topk": 64, "heads": 32, "H": 32, "Indices[]": "0..127"}
SPECIAL["dsa_sparse_finetune/sparse_mla_fwd.py"] = {
    "topk": 64, "heads": 32, "Indices[]": "0..63", "Offsets[]": "0,64,128",
    "TokenIndices[]": ",".join(f"{i // 64},{i % 64}" for i in range(128)), "batch_plus_one": 3}
SPECIAL["dsa_sparse_finetune/sparse_mla_topk_reducesum.py"] = SPECIAL["dsa_sparse_finetune/sparse_mla_fwd.py"]
for _name in ("attention_sink/example_gqa_sink_bwd_varlen.py", "attention_sink/example_gqa_sink_fwd_varlen.py",
              "flash_attention/example_gqa_bwd_tma_reduce_varlen.py", "flash_attention/example_gqa_fwd_varlen.py",
              "flash_attention/example_mha_fwd_varlen.py"):
    SPECIAL[_name] = {"cu_seqlens_q[]": "0,128", "cu_seqlens_k[]": "0,128", "max_seqlen_q": 128, "max_seqlen_k": 128}
SPECIAL["block_causal_attention/block_causal_attention_varlen.py"] = {"cu_seqlens[]": "0,128", "max_seqlen": 128}
for _name in ("bwd", "fwd", "decode"):
    # Block 0 is the one that every token sees.
    SPECIAL[f"deepseek_nsa/example_tilelang_nsa_{_name}.py"] = {
        "groups": 16, "heads": 16, "block_size": 32, "selected_blocks": 2,
        "BlockIndices[]": "0..3" if _name == "decode" else ",".join(["0", "1"] * 128)}
SPECIAL["deepseek_nsa/example_tilelang_nsa_fwd_varlen.py"] = {
    "groups": 16, "heads": 16, "block_size": 32, "selected_blocks": 2, "BlockIndices[]": "0..1", "BlockCounts[]": "2..2",
    "Offsets[]": "0,64", "TokenIndices[]": "0..0"}
#: What the translator cannot say of an entry that it refuses: (state, kind, cause).
BY_HAND = {
    ("autodd/tilelang_minimized_expected.py", "buggy_matmul"): (
        "no program", "", "a bug on purpose, for a tool that finds it: a T.Kernel without a grid, and operands that do not fit"),
    ("gemm_streamk/example_tilelang_gemm_streamk.py", "tl_matmul_streamk"): (
        "GPU only", "", "T.atomic_add is for a GPU only where cells meet: several add their parts of one block of C"),
    ("deepseek_v32/topk_selector.py", "tl_topk_impl"): (
        "GPU only", "", "T.atomic_add with return_prev is for a GPU only: threads take places of a list in any order"),
    ("dsa_sparse_finetune/sparse_mla_bwd.py", "bwd"): (
        "GPU only", "", "T.atomic_add is for a GPU only where cells meet: tokens that select the same rows add to them"),
}
#: Entries with tables, or indices that they compute from data, that are not translated.
WITH_TABLES = ("indexer_topk_reducesum", "sparse_gqa_decode", "grouped_gemm_fwd_ptr", "gemm_sp/sparse_utils")
